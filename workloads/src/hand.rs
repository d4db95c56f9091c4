//! Hand tracking: the input data, and the readers of ADBench's files.
//!
//! A model is a folder of three files, one record a line, its fields separated by colons:
//!
//! ```text
//! bones.txt       name, index of the parent (-1 for the root), transform from the bone to its parent at rest
//!                 (4×4, row by row), transform from the hand to the bone at rest (4×4, row by row)
//! vertices.txt    x, y, z, five unused numbers, the number of bones that move the vertex, and for each of them its
//!                 index and its weight
//! triangles.txt   indices of three vertices
//! ```
//!
//! An instance is a list of numbers separated by whitespace, broken into lines anywhere:
//!
//! ```text
//! n t             sizes: measured points, parameters of the pose (26)
//! points          n times: index of the corresponding vertex or triangle, coordinates (3)
//! us              only if points correspond to triangles: n times two
//! theta           t parameters
//! ```
use crate::read::{self, Numbers, ReadError};
use smooth::Array;
use std::path::Path;

/// The number of parameters of a pose.
pub const PARAMETERS: usize = 26;

/// The number of bones of a hand. Each bone has angles in the pose.
pub const BONES: usize = 22;

/// A transform: a 4×4 matrix, row by row.
pub type Transform = [[f64; 4]; 4];

/// The parts of a model that the kernels take.
pub type Parts<'m> = (&'m [Transform], &'m [Transform], &'m [usize], &'m [[f64; 4]], &'m Array<f64, 2>, bool);

/// A hand at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The transform from each bone to its parent.
    pub base_relatives: Vec<Transform>,
    /// The transform from the hand to each bone.
    pub inverse_base_absolutes: Vec<Transform>,
    /// The parent of each bone, which precedes it; the root is its own parent.
    pub parents: Vec<usize>,
    /// The vertices; the fourth coordinate is 1.
    pub vertices: Vec<[f64; 4]>,
    /// The weight of each bone for each vertex, `bones × vertices`; most are 0.
    pub weights: Array<f64, 2>,
    /// The vertices of each triangle.
    pub triangles: Vec<[usize; 3]>,
    /// Whether the x axis is reversed; ADBench's models are not mirrored.
    pub mirrored: bool,
}

impl Model {
    /// Reads the three files of a folder.
    ///
    /// The model has 22 bones, and the first is the root. All numbers are finite, and all indices are in range.
    ///
    /// # Errors
    /// If a file cannot be read, if a line has too few or too many fields, if a field is not a number or not finite, if
    /// an index is out of range, or if there are more or fewer than 22 bones.
    pub fn read(folder: &Path) -> Result<Model, ReadError> {
        let [bones, vertices, triangles] = ["bones.txt", "vertices.txt", "triangles.txt"].map(|file| folder.join(file));
        let name = |path: &Path| path.display().to_string();
        let (base_relatives, inverse_base_absolutes, parents) = parse_bones(&read::text(&bones)?, &name(&bones))?;
        let (vertices, weights) = parse_vertices(&read::text(&vertices)?, &name(&vertices), parents.len())?;
        let triangles = parse_triangles(&read::text(&triangles)?, &name(&triangles), vertices.len())?;
        Ok(Model { base_relatives, inverse_base_absolutes, parents, vertices, weights, triangles, mirrored: false })
    }

    /// The arguments of [the kernels](crate::kernels::hand::positions()): bones and their parents, vertices, weights, and
    /// whether the model is mirrored.
    pub fn parts(&self) -> Parts<'_> {
        let (relatives, inverses) = (&self.base_relatives, &self.inverse_base_absolutes);
        (relatives, inverses, &self.parents, &self.vertices, &self.weights, self.mirrored)
    }
}

type Bones = (Vec<Transform>, Vec<Transform>, Vec<usize>);

fn parse_bones(text: &str, file: &str) -> Result<Bones, ReadError> {
    let (mut relatives, mut inverses, mut parents) = (vec![], vec![], vec![]);
    for mut line in Numbers::of_lines(text, file) {
        let bone = parents.len();
        if bone == BONES {
            return Err(line.error(format!("expected {BONES} bones, found more")));
        }
        line.token(0, 34, "bone")?;
        if bone == 0 {
            match line.token(1, 34, "bone")? {
                "-1" => parents.push(0),
                other => return Err(line.bad(other, "not -1, as the parent of the first bone is", "bone", 1)),
            }
        } else {
            parents.push(line.index(bone, 1, 34, "bone")?);
        }
        let numbers: [f64; 32] = line.take("transform")?;
        line.end()?;
        let transform = |half: usize| -> Transform {
            std::array::from_fn(|i| std::array::from_fn(|j| numbers[16 * half + 4 * i + j]))
        };
        relatives.push(transform(0));
        inverses.push(transform(1));
    }
    if parents.len() < BONES {
        let lines = text.lines().count().max(1);
        return Err(ReadError::new(file, Some(lines), format!("expected {BONES} bones, found {}", parents.len())));
    }
    Ok((relatives, inverses, parents))
}

fn parse_vertices(text: &str, file: &str, bones: usize) -> Result<(Vec<[f64; 4]>, Array<f64, 2>), ReadError> {
    let (mut vertices, mut shares) = (vec![], vec![]);
    for mut line in Numbers::of_lines(text, file) {
        let [x, y, z, ..] = line.take::<8>("vertex")?;
        let count = line.index(bones + 1, 8, 9, "vertex")?;
        for _ in 0..count {
            let bone = line.index(bones, 0, 2, "weight")?;
            let [weight] = line.take("weight")?;
            shares.push((bone, vertices.len(), weight));
        }
        line.end()?;
        vertices.push([x, y, z, 1.0]);
    }
    let mut weights = Array::from_elem([bones, vertices.len()], 0.0);
    for (bone, vertex, weight) in shares {
        weights[[bone, vertex]] = weight;
    }
    Ok((vertices, weights))
}

fn parse_triangles(text: &str, file: &str, vertices: usize) -> Result<Vec<[usize; 3]>, ReadError> {
    let lines = Numbers::of_lines(text, file);
    let triangle = |mut line: Numbers<'_>| {
        let mut corners = [0; 3];
        for (i, corner) in corners.iter_mut().enumerate() {
            *corner = line.index(vertices, i, 3, "triangle")?;
        }
        line.end()?;
        Ok(corners)
    };
    lines.map(triangle).collect()
}

/// The kind of correspondence of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To vertices.
    Simple,
    /// To positions in triangles.
    Complicated,
}

/// A pose, and measured points of a hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The pose; see [`pose_of`](crate::kernels::hand::pose_of()).
    pub theta: [f64; PARAMETERS],
    /// The index of the vertex or triangle of each point.
    pub corresponding: Vec<usize>,
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// The weights of the first two vertices of each point's triangle; empty if points correspond to vertices.
    pub us: Vec<[f64; 2]>,
}

impl Instance {
    /// Reads a file.
    ///
    /// The instance has at least one point. All numbers are finite, and all indices are within the model.
    ///
    /// # Errors
    /// If the file cannot be read, or for the reasons given at [`parse`](Instance::parse).
    pub fn read(path: &Path, kind: Kind, model: &Model) -> Result<Instance, ReadError> {
        Instance::parse(&read::text(path)?, &path.display().to_string(), kind, model)
    }

    /// Reads the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// If there are too few or too many numbers, if a token is not a number or not finite, if a size is not a positive
    /// integer, if an index is not in the model, if there are not 26 parameters, or if the problem would have more
    /// than 2³¹ numbers.
    pub fn parse(text: &str, file: &str, kind: Kind, model: &Model) -> Result<Instance, ReadError> {
        let mut numbers = Numbers::of_file(text, file);
        let [n, t] = numbers.sizes(|[n, t]| 6.0 * n + t)?;
        if t != PARAMETERS {
            return Err(numbers.error(format!("expected {PARAMETERS} parameters of a pose, not {t} (header number 2)")));
        }
        let (end, us) = match kind {
            Kind::Simple => (model.vertices.len(), 0),
            Kind::Complicated => (model.triangles.len(), n),
        };
        let (mut corresponding, mut points) = (vec![], vec![]);
        for _ in 0..n {
            corresponding.push(numbers.index(end, 0, 4, "point")?);
            points.push(numbers.take("point")?);
        }
        let us = (0..us).map(|_| numbers.take("share")).collect::<Result<_, _>>()?;
        let theta = numbers.take("pose")?;
        numbers.end()?;
        Ok(Instance { theta, corresponding, points, us })
    }
}
