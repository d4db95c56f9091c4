//! The readers of hand models and instances: their results and their errors.

use smooth_workloads::data;
use smooth_workloads::hand::{Instance, Kind, Model};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

fn model() -> Model {
    Model::read(&data("hand/model_small")).unwrap()
}

/// A copy of the model in a temporary folder.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("smooth-workloads-{}-{name}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        for file in ["bones.txt", "vertices.txt", "triangles.txt"] {
            fs::write(folder.join(file), fs::read(data("hand/model_small").join(file)).unwrap()).unwrap();
        }
        Copy(folder)
    }

    /// The error for the model with one file changed, without the folder.
    fn refuses(&self, file: &str, change: impl Fn(&str) -> String) -> String {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(changed, text, "the change has no effect");
        fs::write(&path, changed).unwrap();
        let error = Model::read(&self.0).unwrap_err();
        fs::write(&path, text).unwrap();
        let folder = Path::new(error.file()).parent().unwrap().display().to_string();
        error.to_string().replace(&format!("{folder}{}", std::path::MAIN_SEPARATOR), "")
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // A folder that cannot be removed does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `text` with line `n` (from 1) replaced.
fn with_line(text: &str, n: usize, line: impl Fn(&str) -> String) -> String {
    let changed = text.lines().enumerate().map(|(k, old)| if k + 1 == n { line(old) } else { old.to_owned() });
    changed.collect::<Vec<_>>().join("\n")
}

#[test]
fn reads_the_model() {
    let m = model();
    assert_eq!((m.base_relatives.len(), m.inverse_base_absolutes.len(), m.parents.len()), (22, 22, 22));
    assert_eq!((m.vertices.len(), m.triangles.len(), m.weights.shape()), (544, 1084, [22, 544]));
    assert_eq!(m.parents[..7], [0, 0, 1, 2, 3, 0, 5]);
    assert_eq!(m.parents[21], 0);
    assert_eq!(m.triangles[..2], [[290, 412, 289], [3, 5, 4]]);
    assert_eq!(m.vertices[0], [0.028303472325205803, 0.07706871628761292, 0.01739514246582985, 1.0]);
    assert_eq!(
        (m.base_relatives[0][0][1], m.inverse_base_absolutes[0][0][1]),
        (-0.1684776246547699, -0.11152653396129608)
    );
    assert!(m.base_relatives.iter().chain(&m.inverse_base_absolutes).all(|t| t[3] == [0.0, 0.0, 0.0, 1.0]));
    assert_eq!(m.weights.as_slice().iter().filter(|w| **w != 0.0).count(), 932);
    assert_eq!(m.weights[[2, 0]], 0.2707933843876052);
    for v in 0..544 {
        let total: f64 = (0..22).map(|bone| m.weights[[bone, v]]).sum();
        assert!((total - 1.0).abs() < 1e-6, "vertex {v}: {total}");
    }
}

#[test]
fn errors_name_the_line_of_a_model() {
    let copy = Copy::new("model");
    let bones = |n: usize, change: &dyn Fn(&str) -> String| copy.refuses("bones.txt", |t| with_line(t, n, change));
    let first = |old: &str| old.replacen(":-1:", ":0:", 1);
    assert_eq!(bones(1, &first), "bones.txt:1: \"0\" is not -1, as the parent of the first bone is (bone number 2)");
    let later = |old: &str| old.replacen(":1:", ":2:", 1);
    assert_eq!(bones(3, &later), "bones.txt:3: \"2\" is not an integer from 0 to 1 (bone number 2)");
    let short = |old: &str| old.rsplit_once(':').unwrap().0.to_owned();
    assert_eq!(bones(2, &short), "bones.txt:2: expected 32 transform numbers, the line ends after 31");
    let long = |old: &str| format!("{old}:1");
    assert_eq!(bones(2, &long), "bones.txt:2: expected the end of the line, found \"1\"");
    let twice = |old: &str| format!("{old}\n{old}");
    assert_eq!(bones(22, &twice), "bones.txt:23: expected 22 bones, found more");
    assert_eq!(bones(22, &|_| String::new()), "bones.txt:21: expected 22 bones, found 21");

    let vertex = |change: &dyn Fn(&str) -> String| copy.refuses("vertices.txt", |t| with_line(t, 7, change));
    let word = |old: &str| format!("x{old}");
    assert!(vertex(&word).ends_with("is not a number (vertex number 1)"));
    assert_eq!(
        vertex(&|_| "1:2:3:0:0:0:0:0:1:22:1".into()),
        "vertices.txt:7: \"22\" is not an integer from 0 to 21 (weight number 1)"
    );
    assert_eq!(
        vertex(&|_| "1:2:3:0:0:0:0:0:2:1:1".into()),
        "vertices.txt:7: expected 2 weight numbers, the line ends after 0"
    );

    let triangle = |line: &'static str| copy.refuses("triangles.txt", |t| with_line(t, 9, |_| line.into()));
    assert_eq!(triangle("0:1:544"), "triangles.txt:9: \"544\" is not an integer from 0 to 543 (triangle number 3)");
    assert_eq!(triangle("0:1"), "triangles.txt:9: expected 3 triangle numbers, the line ends after 2");

    let none = Model::read(&data("hand/no model")).unwrap_err();
    assert_eq!(none.line(), None);
    assert!(none.file().ends_with("bones.txt"));
}

#[test]
fn reads_instances() {
    let m = model();
    let x = Instance::read(&data("hand/hand_complicated.txt"), Kind::Complicated, &m).unwrap();
    assert_eq!(x.corresponding, [309, 387]);
    assert_eq!(x.points, [[0.889192, -1.224224, -1.372331], [0.599599, -1.148071, -1.730528]]);
    assert_eq!(x.us, [[0.2, 0.25], [0.4, 0.5]]);
    assert_eq!((x.theta[0], x.theta[25]), (-0.521279, 0.204648));
    let x = Instance::read(&data("hand/test.txt"), Kind::Simple, &m).unwrap();
    assert_eq!((x.points.len(), x.us.len()), (2, 0));
}

#[test]
fn errors_name_the_line_of_an_instance() {
    let m = model();
    let refuses = |text: &str, kind| match Instance::parse(text, "data.txt", kind, &m) {
        Ok(instance) => panic!("{text:?} was read as {instance:?}"),
        Err(error) => error.to_string(),
    };
    let theta = "0 ".repeat(26);
    let good = format!("1 26\n543 1 2 3\n{theta}");
    assert!(Instance::parse(&good, "data.txt", Kind::Simple, &m).is_ok());
    assert_eq!(
        refuses("1 25\n", Kind::Simple),
        "data.txt:1: expected 26 parameters of a pose, not 25 (header number 2)"
    );
    assert_eq!(
        refuses(&good.replace("543", "544"), Kind::Simple),
        "data.txt:2: \"544\" is not an integer from 0 to 543 (point number 1)"
    );
    assert_eq!(
        refuses(&good.replace("543", "1084"), Kind::Complicated),
        "data.txt:2: \"1084\" is not an integer from 0 to 1083 (point number 1)"
    );
    assert_eq!(refuses("1 26\n0 1 2", Kind::Simple), "data.txt:2: expected 3 point numbers, the file ends after 2");
    // If points corresponded to triangles, two of the parameters would be weights.
    assert_eq!(refuses(&good, Kind::Complicated), "data.txt:3: expected 26 pose numbers, the file ends after 24");
    assert_eq!(refuses(&format!("{good}7"), Kind::Simple), "data.txt:3: expected the end of the file, found \"7\"");
}
