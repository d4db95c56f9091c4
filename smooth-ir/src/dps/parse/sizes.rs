//! Sizes, shapes and bytes as text.

use super::Reader;
use crate::lex::Fault;
use crate::shape::Shape;
use crate::shape::bytes::{Bytes, Sum};
use crate::shape::card::{Atom, Card, Op};
use crate::shape::text::is_var;

impl Reader<'_, '_> {
    /// `2 * n * k + n / 2 - 1` or `n >> k`, as [`Card::show`] writes it.
    pub(super) fn card(&mut self) -> Result<Card, Fault> {
        let shifted = self.total()?;
        let op = match self.c.peek() {
            "<<" => Op::Mul,
            ">>" => Op::Div,
            _ => return Ok(shifted),
        };
        self.c.take();
        Ok(Card::op(op, &shifted, &Card::unary(Op::Exp2, &self.factor()?)))
    }

    fn total(&mut self) -> Result<Card, Fault> {
        let mut sum = if self.c.eat("-") { Card::default().sub(&self.product()?) } else { self.product()? };
        loop {
            if self.c.eat("+") {
                sum = sum.add(&self.product()?);
            } else if self.c.eat("-") {
                sum = sum.sub(&self.product()?);
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Card, Fault> {
        let mut product = self.factor()?;
        loop {
            let op = match self.c.peek() {
                "*" => Op::Mul,
                "/" => Op::Div,
                "%" => Op::Rem,
                _ => return Ok(product),
            };
            self.c.take();
            product = Card::op(op, &product, &self.factor()?);
        }
    }

    fn factor(&mut self) -> Result<Card, Fault> {
        let op = match self.c.peek() {
            "(" => {
                self.c.take();
                let inner = self.card()?;
                self.c.expect(")")?;
                return Ok(inner);
            }
            "length" => {
                self.c.take();
                let v = self.var()?;
                return Ok(Card::atom(Atom::Len(v, self.c.number()?)));
            }
            "untracked" => {
                self.c.take();
                return Ok(Card::atom(Atom::Untracked));
            }
            word => match Op::from_name(word) {
                Some(op) => op,
                None if is_var(word) => return Ok(Card::var(self.var()?)),
                None => return Ok(Card::lit(self.c.number()?)),
            },
        };
        self.c.take();
        self.c.expect("(")?;
        let a = self.card()?;
        let b = if op.is_unary() {
            Card::default()
        } else {
            self.c.expect(",")?;
            self.card()?
        };
        self.c.expect(")")?;
        Ok(Card::op(op, &a, &b))
    }

    /// Whether a shape comes next.
    pub(super) fn is_shape(&self) -> bool {
        matches!(self.c.peek(), "(" | "∘")
    }

    /// `(n, (k, ∘))`.
    pub(super) fn shape(&mut self) -> Result<Shape, Fault> {
        let mut shape = Vec::new();
        while self.c.eat("(") {
            shape.push(self.card()?);
            self.c.expect(",")?;
        }
        self.c.expect("∘")?;
        shape.iter().try_for_each(|_| self.c.expect(")"))?;
        Ok(shape)
    }

    /// `max(64 + 2 * bytes (n, ∘), bytes f32 (k, ∘))`.
    pub(super) fn bytes(&mut self) -> Result<Bytes, Fault> {
        if !self.c.eat("max") {
            return Ok(Bytes::largest(vec![self.sum_of_bytes()?]));
        }
        self.c.expect("(")?;
        Ok(Bytes::largest(self.list(")", Self::sum_of_bytes)?))
    }

    fn sum_of_bytes(&mut self) -> Result<Sum, Fault> {
        let mut sum = Sum::default();
        loop {
            let n = if self.c.peek() == "bytes" { 1 } else { self.c.number()? };
            if self.c.eat("*") || self.c.peek() == "bytes" {
                self.c.expect("bytes")?;
                let elem = self.elem();
                let shape = self.shape()?;
                sum.arrays.insert((elem, crate::shape::total(&shape)), n);
            } else {
                sum.constant = n;
            }
            if !self.c.eat("+") {
                return Ok(sum);
            }
        }
    }
}
