/* Prints the results of the kernels in the library of this folder: a name and a value per line. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

double smooth_dot(double scale);
double smooth_looked_at(void);
float smooth_cross(float scale, size_t axis);
double smooth_norm_of_sum(void);
float smooth_scaled_f32(float by);
double smooth_softmax(void);
float smooth_polar_f32(float x, float y);
double smooth_polar(double x, double y);
double smooth_smoothed(void);
double smooth_fourth_power(size_t n);
double smooth_histogram(double factor);
double smooth_twice(void);
double smooth_linalg(void);
uint8_t smooth_error(uint32_t which, size_t at);

/* The precompiled `core` supports unwinding and refers to this symbol. Nothing here unwinds: `panic = "abort"`. */
void rust_eh_personality(void) {}

static void error(uint32_t which) {
    uint8_t byte;
    printf("error%u ", which);
    for (size_t at = 0; (byte = smooth_error(which, at)) != 0; at++) putchar(byte);
    putchar('\n');
}

int main(void) {
    printf("dot %.17g\n", smooth_dot(2.0));
    printf("looked_at %.17g\n", smooth_looked_at());
    for (size_t axis = 0; axis < 3; axis++) printf("cross%zu %.17g\n", axis, smooth_cross(4.0f, axis));
    printf("norm_of_sum %.17g\n", smooth_norm_of_sum());
    printf("scaled_f32 %.17g\n", smooth_scaled_f32(0.1f));
    printf("softmax %.17g\n", smooth_softmax());
    printf("polar_f32 %.17g\n", smooth_polar_f32(3.0f, 4.0f));
    printf("polar %.17g\n", smooth_polar(3.0, 4.0));
    printf("smoothed %.17g\n", smooth_smoothed());
    printf("fourth_power %.17g\n", smooth_fourth_power(3));
    printf("histogram %.17g\n", smooth_histogram(0.5));
    printf("twice %.17g\n", smooth_twice());
    printf("linalg %.17g\n", smooth_linalg());
    for (uint32_t which = 0; which < 4; which++) error(which);
    return 0;
}
