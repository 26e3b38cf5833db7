//! Source text in which each change can be switched on.
//!
//! `a + b` becomes `crate::mutant::add(7, 8, (a), b)`, which computes a difference if number 7 is on and a product if 8 is; `a && b`
//! becomes `flip(9, flip(9, a) && flip(9, b))`, which is `a || b` if 9 is on, and evaluates no more than that would; an arm that
//! can be deleted gets a guard; and a function whose value can be replaced begins with an early return. So no operand is
//! written twice, whatever is nested in it, and text of the file stays where it is but for insertions.
//!
//! What is evaluated by the compiler can't ask: functions that are `const`, constants, patterns and types are left alone, and so is a
//! condition with `let` in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

use crate::Mutant;

/// A file with its changes.
#[derive(Default)]
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// The numbers that can be switched on.
    pub switched: BTreeSet<usize>,
    /// Where each of them is in the text, so that an error of the compiler can be laid at its door.
    pub places: Vec<(Range<usize>, Vec<usize>)>,
}

/// A change of the text: `delete` bytes at `at` go, and this comes.
struct Edit {
    at: usize,
    delete: usize,
    closes: bool,
    text: String,
    /// What begins or ends here.
    numbers: Vec<usize>,
}

/// Rewrites a file with those of its mutants that are not left out.
pub fn rewrite(text: &str, mutants: &[&Mutant]) -> syn::Result<Rewritten> {
    let mut walk = Walk {
        at: HashMap::new(),
        values: BTreeMap::new(),
        edits: Vec::new(),
        switched: BTreeSet::new(),
        constant: false,
    };
    for mutant in mutants {
        if mutant.genre == "FnValue" {
            walk.values.entry(mutant.position).or_default().push(mutant);
        } else {
            walk.at.entry((mutant.position, mutant.genre.as_str())).or_default().push(mutant);
        }
    }
    walk.visit_file(&syn::parse_file(text)?);
    let mut edits = walk.edits;
    // What closes at a place comes before what opens there; the sort is stable, and so outer ones open first.
    edits.sort_by_key(|edit| (edit.at, !edit.closes));
    let (mut rewritten, mut last) = (Rewritten { switched: walk.switched, ..Rewritten::default() }, 0);
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for edit in edits {
        rewritten.text += &text[last..edit.at];
        last = edit.at + edit.delete;
        let start = rewritten.text.len();
        rewritten.text += &edit.text;
        let end = rewritten.text.len();
        if edit.text.ends_with("} ") || edit.text.starts_with(" if") {
            rewritten.places.push((start..end, edit.numbers));
        } else if !edit.numbers.is_empty() && !edit.closes {
            open.push((start, edit.numbers));
        } else if let Some(index) = open.iter().rposition(|(_, numbers)| *numbers == edit.numbers) {
            let (start, numbers) = open.remove(index);
            rewritten.places.push((start..end, numbers));
        }
    }
    rewritten.text += &text[last..];
    Ok(rewritten)
}

struct Walk<'a> {
    at: HashMap<((usize, usize), &'a str), Vec<&'a Mutant>>,
    values: BTreeMap<(usize, usize), Vec<&'a Mutant>>,
    edits: Vec<Edit>,
    switched: BTreeSet<usize>,
    /// Whether the compiler evaluates this.
    constant: bool,
}

/// Line and column, counted from 1.
fn position(spanned: &impl Spanned) -> (usize, usize) {
    let start = spanned.span().start();
    (start.line, start.column + 1)
}

fn range(spanned: &impl Spanned) -> Range<usize> {
    spanned.span().byte_range()
}

/// The number of the mutant with this replacement, or 0.
fn number(mutants: &[&Mutant], replacement: &str) -> usize {
    mutants.iter().find(|mutant| mutant.replacement == replacement).map_or(0, |mutant| mutant.number)
}

fn numbers(mutants: &[&Mutant]) -> Vec<usize> {
    mutants.iter().map(|mutant| mutant.number).collect()
}

/// Whether a condition binds names.
fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            binds(&binary.left) || binds(&binary.right)
        }
        _ => false,
    }
}

impl<'a> Walk<'a> {
    fn take(&mut self, spanned: &impl Spanned, genre: &'static str) -> Vec<&'a Mutant> {
        if self.constant {
            return Vec::new();
        }
        let mutants = self.at.get(&(position(spanned), genre)).cloned().unwrap_or_default();
        self.switched.extend(numbers(&mutants));
        mutants
    }

    fn insert(&mut self, at: usize, closes: bool, text: String, numbers: Vec<usize>) {
        self.edits.push(Edit { at, delete: 0, closes, text, numbers });
    }

    fn replace(&mut self, range: Range<usize>, text: &str) {
        let (at, delete) = (range.start, range.len());
        self.edits.push(Edit { at, delete, closes: false, text: text.into(), numbers: Vec::new() });
    }

    fn in_constant(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.constant, true);
        visit(self);
        self.constant = before;
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let before = std::mem::replace(&mut self.constant, signature.constness.is_some());
        if !self.constant
            && let Some(first) = block.stmts.first()
        {
            // cargo-mutants says where the statements begin, with the attributes and comments before the first or without.
            let span = block.span().start();
            let values = self.values.range((span.line, span.column + 1)..=position(first)).next_back();
            let values: Vec<&Mutant> = values.map(|(_, values)| values.clone()).unwrap_or_default();
            for value in
                values.into_iter().filter(|value| self.switched.insert(value.number)).collect::<Vec<_>>()
            {
                let of = if value.replacement == "()" { "" } else { &value.replacement };
                let text = format!(" if crate::mutant::on({}) {{ return {of}; }} ", value.number);
                self.insert(range(&block.brace_token.span.open()).end, false, text, vec![value.number]);
            }
        }
        visit::visit_block(self, block);
        self.constant = before;
    }

    /// Wraps an operator with two operands in a call: `name(numbers, prefix(left), prefix(right))`.
    fn call(
        &mut self,
        binary: &syn::ExprBinary,
        name: &str,
        prefix: &str,
        others: &[&str],
        mutants: &[&Mutant],
    ) {
        let all: String = others.iter().map(|other| format!("{}, ", number(mutants, other))).collect();
        let (left, right) = (range(&binary.left), range(&binary.right));
        self.insert(left.start, false, format!("crate::mutant::{name}({all}{prefix}("), numbers(mutants));
        self.visit_expr(&binary.left);
        self.insert(left.end, true, ")".into(), Vec::new());
        self.replace(range(&binary.op), ",");
        let prefix = if prefix == "&" { prefix } else { "" };
        self.insert(right.start, false, format!("{prefix}("), Vec::new());
        self.visit_expr(&binary.right);
        self.insert(right.end, true, "))".into(), numbers(mutants));
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.in_constant(|walk| visit::visit_item_const(walk, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.in_constant(|walk| visit::visit_impl_item_const(walk, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.in_constant(|walk| visit::visit_trait_item_const(walk, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.in_constant(|walk| visit::visit_item_static(walk, item));
    }

    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}

    fn visit_type(&mut self, item: &'ast syn::Type) {
        self.in_constant(|walk| visit::visit_type(walk, item));
    }

    fn visit_generic_argument(&mut self, item: &'ast syn::GenericArgument) {
        self.in_constant(|walk| visit::visit_generic_argument(walk, item));
    }

    fn visit_pat(&mut self, item: &'ast syn::Pat) {
        self.in_constant(|walk| visit::visit_pat(walk, item));
    }

    fn visit_expr_const(&mut self, item: &'ast syn::ExprConst) {
        self.in_constant(|walk| visit::visit_expr_const(walk, item));
    }

    fn visit_expr_repeat(&mut self, item: &'ast syn::ExprRepeat) {
        self.visit_expr(&item.expr);
        self.in_constant(|walk| walk.visit_expr(&item.len));
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let mutants = self.take(&unary.op, "UnaryOperator");
        if mutants.is_empty() {
            return visit::visit_expr_unary(self, unary);
        }
        let name = if matches!(unary.op, syn::UnOp::Not(_)) { "not" } else { "neg" };
        let text = format!("crate::mutant::{name}({}, ", mutants[0].number);
        self.insert(range(unary).start, false, text, numbers(&mutants));
        self.replace(range(&unary.op), "");
        self.visit_expr(&unary.expr);
        self.insert(range(unary).end, true, ")".into(), numbers(&mutants));
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        use BinOp::*;
        if binds(&binary.left) || binds(&binary.right) {
            return visit::visit_expr_binary(self, binary);
        }
        let mutants = self.take(&binary.op, "BinaryOperator");
        let Some(first) = mutants.first().map(|mutant| mutant.number) else {
            return visit::visit_expr_binary(self, binary);
        };
        let (name, prefix, others): (_, _, &[&str]) = match binary.op {
            And(_) | Or(_) => {
                let flip = format!("crate::mutant::flip({first}, ");
                let (left, right) = (range(&binary.left), range(&binary.right));
                self.insert(left.start, false, format!("{flip}{flip}"), numbers(&mutants));
                self.visit_expr(&binary.left);
                self.insert(left.end, true, ")".into(), Vec::new());
                self.insert(right.start, false, flip, Vec::new());
                self.visit_expr(&binary.right);
                return self.insert(right.end, true, "))".into(), numbers(&mutants));
            }
            Eq(_) | Ne(_) => {
                let all = range(binary);
                self.insert(all.start, false, format!("crate::mutant::flip({first}, "), numbers(&mutants));
                visit::visit_expr_binary(self, binary);
                return self.insert(all.end, true, ")".into(), numbers(&mutants));
            }
            Lt(_) => ("lt", "&", &["==", ">", "<="]),
            Gt(_) => ("gt", "&", &["==", "<", ">="]),
            Le(_) => ("le", "&", &[">"]),
            Ge(_) => ("ge", "&", &["<"]),
            Add(_) => ("add", "", &["-", "*"]),
            Sub(_) => ("sub", "", &["+", "/"]),
            Mul(_) => ("mul", "", &["+", "/"]),
            Div(_) => ("div", "", &["%", "*"]),
            Rem(_) => ("rem", "", &["/", "+"]),
            BitAnd(_) => ("and", "", &["|", "^"]),
            BitOr(_) => ("or", "", &["&", "^"]),
            BitXor(_) => ("xor", "", &["|", "&"]),
            Shl(_) => ("shl", "", &[">>"]),
            Shr(_) => ("shr", "", &["<<"]),
            AddAssign(_) => ("add_assign", "&mut ", &["-=", "*="]),
            SubAssign(_) => ("sub_assign", "&mut ", &["+=", "/="]),
            BitOrAssign(_) => ("or_assign", "&mut ", &["&="]),
            BitAndAssign(_) => ("and_assign", "&mut ", &["|="]),
            _ => {
                for mutant in mutants {
                    self.switched.remove(&mutant.number);
                }
                return visit::visit_expr_binary(self, binary);
            }
        };
        self.call(binary, name, prefix, others, &mutants);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
        if guard.is_none_or(|guard| !binds(guard)) {
            let deleted = self.take(arm, "MatchArm");
            let deletes = deleted.first().map_or(0, |mutant| mutant.number);
            if let Some(guard) = guard {
                let replaced = self.take(guard, "MatchArmGuard");
                let all = [numbers(&deleted), numbers(&replaced)].concat();
                let (always, never) = (number(&replaced, "true"), number(&replaced, "false"));
                let text = format!("crate::mutant::guard({always}, {never}, {deletes}, ");
                let is_changed = !all.is_empty();
                if is_changed {
                    self.insert(range(guard).start, false, text, all.clone());
                }
                self.visit_expr(guard);
                if is_changed {
                    self.insert(range(guard).end, true, ")".into(), all);
                }
            } else if deletes != 0 {
                let text = format!(" if !crate::mutant::on({deletes}) ");
                self.insert(range(&arm.pat).end, false, text, vec![deletes]);
            }
        } else if let Some(guard) = guard {
            self.visit_expr(guard);
        }
        self.visit_expr(&arm.body);
    }
}
