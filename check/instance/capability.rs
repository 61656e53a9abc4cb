//! What a family has besides its rules and its clauses: a list of values, each found by its trait.

use std::any::Any;
use std::sync::Arc;
use unstuck_puzzles::Objective;

/// What a family has for a puzzle, each under the trait that says what it does.
#[derive(Default)]
pub struct Capabilities(Vec<Box<dyn Any + Send + Sync>>);

impl Capabilities {
    /// Adds what answers to the trait `C`.
    pub fn add<C: ?Sized + Send + Sync + 'static>(&mut self, capability: Box<C>) {
        self.0.push(Box::new(capability));
    }

    /// What answers to the trait `C`, such as `dyn PatternJudge`; `None` where the family has nothing
    /// of the kind.
    pub fn get<C: ?Sized + 'static>(&self) -> Option<&C> {
        self.0.iter().find_map(|it| it.downcast_ref::<Box<C>>()).map(Box::as_ref)
    }
}

/// Something that a family has. Its entry in the registry names the type, alone or in a tuple with
/// others; whoever needs it asks for the trait under which it adds itself.
pub trait Capability<P>: 'static {
    /// Adds itself for a puzzle.
    fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities);
}

impl<P> Capability<P> for () {
    fn add(_: &Arc<P>, _: Objective, _: &mut Capabilities) {}
}

macro_rules! capabilities {
    ($($first:ident $($more:ident)*)?) => {$(
        impl<P, $first: Capability<P>, $($more: Capability<P>),*> Capability<P>
            for ($first, $($more,)*)
        {
            fn add(puzzle: &Arc<P>, objective: Objective, all: &mut Capabilities) {
                $first::add(puzzle, objective, all);
                $($more::add(puzzle, objective, all);)*
            }
        }
        capabilities!($($more)*);
    )?};
}

capabilities!(A B C D E F G H);

#[cfg(test)]
mod tests {
    use super::*;

    trait Words: Send + Sync {
        fn say(&self) -> String;
    }

    struct Loud(Arc<u8>);

    impl Words for Loud {
        fn say(&self) -> String {
            format!("{}!", self.0)
        }
    }

    impl Capability<u8> for Loud {
        fn add(puzzle: &Arc<u8>, _: Objective, all: &mut Capabilities) {
            all.add::<dyn Words>(Box::new(Self(puzzle.clone())));
        }
    }

    struct Six;

    impl Capability<u8> for Six {
        fn add(_: &Arc<u8>, _: Objective, all: &mut Capabilities) {
            all.add::<str>("six".into());
        }
    }

    /// Each is found by its trait, and by no other.
    #[test]
    fn a_capability_is_found_by_its_trait() {
        let mut all = Capabilities::default();
        <(Six, Loud)>::add(&Arc::new(5), Objective::Any, &mut all);
        assert_eq!(all.get::<dyn Words>().map(Words::say).as_deref(), Some("5!"));
        assert_eq!(all.get::<str>(), Some("six"));
        assert!(all.get::<dyn Any>().is_none());
        let mut none = Capabilities::default();
        <()>::add(&Arc::new(5_u8), Objective::Any, &mut none);
        assert!(none.get::<dyn Words>().is_none());
    }
}
