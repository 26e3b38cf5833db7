//! The columns of a table about encodings: peers whose functions take code units.

use bytemuck::Pod;
use std::marker::PhantomData;

use runecast::{Encoding, Engine};

use crate::peer::{Level, Output, Peer};
use crate::simdutf_by_name::Simdutf;

/// The columns so far. Those who compete are added first, runecast last.
pub struct Columns {
    peers: Vec<Peer>,
}

impl Columns {
    /// These, which include runecast.
    pub fn new(peers: Vec<Peer>) -> Columns {
        Columns { peers }
    }

    /// The columns as peers.
    pub fn into_peers(self) -> Vec<Peer> {
        self.peers
    }
}

/// The columns of a conversion from `S` to `D`, to be filled.
pub struct Pair<S, D> {
    peers: Vec<Peer>,
    output: Output,
    encodings: PhantomData<(S, D)>,
}

impl<S: Encoding<Unit: Pod>, D: Encoding<Unit: Pod>> Pair<S, D> {
    /// No columns, and the output that all of them will write to.
    pub fn new(output: Output) -> Pair<S, D> {
        Pair { peers: Vec::new(), output, encodings: PhantomData }
    }

    /// Adds somebody's function; it returns the units written, none at an error.
    pub fn peer(
        self,
        name: &str,
        work: impl Fn(&[S::Unit], &mut [D::Unit]) -> usize + Copy + 'static,
    ) -> Self {
        self.peer_at(Level::Every, name, work)
    }

    /// Adds a function that competes at a level only.
    pub fn peer_at(
        mut self,
        level: Level,
        name: &str,
        work: impl Fn(&[S::Unit], &mut [D::Unit]) -> usize + Copy + 'static,
    ) -> Self {
        self.peers.push(Peer::writing(name, level, self.output.clone(), work));
        self
    }

    /// Adds simdutf, as it chooses itself and forced.
    pub fn simdutf(
        mut self,
        work: impl Fn(Simdutf, &[S::Unit], &mut [D::Unit]) -> usize + Copy + 'static,
    ) -> Self {
        for (name, level, simdutf) in Peer::simdutfs() {
            let work = move |src: &[S::Unit], dst: &mut [D::Unit]| work(simdutf, src, dst);
            self.peers.push(Peer::writing(name, level, self.output.clone(), work));
        }
        self
    }

    /// Adds a column that does not write to the output of the others.
    pub fn column(mut self, peer: Peer) -> Self {
        self.peers.push(peer);
        self
    }

    /// Adds runecast, and that is all.
    pub fn ours(self) -> Columns {
        self.ours_by(|src, dst| runecast::transcode::<S, D>(src, dst).unwrap_or(0))
    }

    /// Adds runecast with the plain function `work`, and that is all.
    pub fn ours_by(mut self, work: impl Fn(&[S::Unit], &mut [D::Unit]) -> usize + Copy + 'static) -> Columns {
        for engine in Engine::available() {
            let isa = engine.isa();
            let mut peer = Peer::writing(isa.name(), Level::Only(isa), self.output.clone(), work);
            peer.ours = Some(isa);
            self.peers.push(peer);
        }
        Columns { peers: self.peers }
    }
}

/// The columns of a question about text in `S`, to be filled.
pub struct One<S> {
    peers: Vec<Peer>,
    encoding: PhantomData<S>,
}

impl<S: Encoding<Unit: Pod>> One<S> {
    /// No columns.
    pub fn new() -> One<S> {
        One { peers: Vec::new(), encoding: PhantomData }
    }

    /// Adds somebody's function.
    pub fn peer(mut self, name: &str, work: impl Fn(&[S::Unit]) -> usize + 'static) -> Self {
        self.peers.push(Peer::new(name, Level::Every, move |text| work(bytemuck::cast_slice(text))));
        self
    }

    /// Adds simdutf, as it chooses itself and forced.
    pub fn simdutf(mut self, work: impl Fn(Simdutf, &[S::Unit]) -> usize + Copy + 'static) -> Self {
        let columns = Peer::simdutf(move |simdutf, text| work(simdutf, bytemuck::cast_slice(text)));
        self.peers.extend(columns);
        self
    }

    /// Adds runecast, and that is all.
    pub fn ours(mut self, work: impl Fn(&[S::Unit]) -> usize + Copy + 'static) -> Columns {
        self.peers.extend(Peer::ours(move |text| work(bytemuck::cast_slice(text))));
        Columns { peers: self.peers }
    }
}
