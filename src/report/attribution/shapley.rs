//! Shapley values: the mean worth of each technique over all orders of switching techniques on.
//!
//! `worth` has one number for every combination. Bit `i` of its index is set if technique `i` is on. Source: L. S.
//! Shapley, "A Value for n-Person Games", 1953; M. Grabisch, M. Roubens, "An axiomatic approach to the concept of
//! interaction among players in cooperative games", 1999.
//!
//! ```text
//! value of i             mean over orders of  worth(S + i) - worth(S)
//! interaction of i, j    mean over orders of  worth(S + i + j) - worth(S + i) - worth(S + j) + worth(S)
//! ```
//!
//! S are the techniques switched on before. For interactions, i and j are switched on together. Values and interactions
//! are linear in `worth`, so those of many positions are the means over positions.

/// The value of every technique. The values add up to the worth of all techniques together.
pub fn values(worth: &[f64]) -> Vec<f64> {
    let count = techniques(worth);
    let value = |technique: usize| {
        let bit = 1 << technique;
        let others = (0..worth.len()).filter(|on| on & bit == 0);
        others.map(|on| share(on, count) * (worth[on | bit] - worth[on])).sum()
    };
    (0..count).map(value).collect()
}

/// The interaction of every two techniques, the lesser index first: above 0 they are worth more together than apart.
pub fn interactions(worth: &[f64]) -> Vec<(usize, usize, f64)> {
    let count = techniques(worth);
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
    let interaction = |(one, other): (usize, usize)| {
        let (first, second) = (1 << one, 1 << other);
        let rest = (0..worth.len()).filter(|on| on & (first | second) == 0);
        let gain = |on: usize| worth[on | first | second] - worth[on | first] - worth[on | second] + worth[on];
        (one, other, rest.map(|on| share(on, count - 1) * gain(on)).sum())
    };
    pairs.map(interaction).collect()
}

fn techniques(worth: &[f64]) -> usize {
    debug_assert!(worth.len().is_power_of_two(), "one number for every combination");
    worth.len().trailing_zeros() as usize
}

/// The share of the orders of `count` techniques that begin with those of `on`, followed by one given other technique.
fn share(on: usize, count: usize) -> f64 {
    let before = on.count_ones() as usize;
    let factorial = |n: usize| (1..=n).map(|factor| factor as f64).product::<f64>();
    factorial(before) * factorial(count - before - 1) / factorial(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn orders(count: usize) -> Vec<Vec<usize>> {
        (0..count).fold(vec![Vec::new()], |shorter, next| {
            let insert = |order: &Vec<usize>, place| [&order[..place], &[next], &order[place..]].concat();
            shorter.iter().flat_map(|order| (0..=order.len()).map(move |place| insert(order, place))).collect()
        })
    }

    /// By the definition: switched on one after another, in every order.
    fn values_by_orders(worth: &[f64]) -> Vec<f64> {
        let (count, all) = (techniques(worth), orders(techniques(worth)));
        let mut values = vec![0.0; count];
        for order in &all {
            order.iter().fold(0, |on, &technique| {
                values[technique] += (worth[on | 1 << technique] - worth[on]) / all.len() as f64;
                on | 1 << technique
            });
        }
        values
    }

    /// By the definition: from a game with `one` and `other` as one technique, and games without one of them.
    fn interaction_by_orders(worth: &[f64], one: usize, other: usize) -> f64 {
        let rest: Vec<usize> = (0..techniques(worth)).filter(|&index| index != one && index != other).collect();
        // Technique 0 of the smaller game stands for all of `added`; the others are those of `rest`.
        let game = |added: usize| {
            let spread = |on: usize| {
                let there = rest.iter().enumerate().filter(|(index, _)| on >> (index + 1) & 1 == 1);
                there.map(|(_, technique)| 1 << technique).sum::<usize>()
            };
            let worth = |on: usize| worth[spread(on) | if on & 1 == 1 { added } else { 0 }];
            values_by_orders(&(0..2 << rest.len()).map(worth).collect::<Vec<_>>())[0]
        };
        game(1 << one | 1 << other) - game(1 << one) - game(1 << other)
    }

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    fn games(least: usize, most: usize) -> impl Strategy<Value = Vec<f64>> {
        (least..=most).prop_flat_map(|count| vec(-10.0..10.0f64, 1 << count))
    }

    #[test]
    fn values_by_hand() {
        // Two that each save 1 alone, and 4 together.
        assert_eq!(values(&[0.0, 1.0, 1.0, 4.0]), [2.0, 2.0]);
        assert_eq!(interactions(&[0.0, 1.0, 1.0, 4.0]), [(0, 1, 2.0)]);
        // The glove game: left, and two rights.
        let worth: Vec<f64> = (0..8).map(|on| if on & 1 == 1 && on > 1 { 6.0 } else { 0.0 }).collect();
        assert!(values(&worth).iter().zip([4.0, 1.0, 1.0]).all(|(&value, known)| near(value, known)));
        assert_eq!((values(&[3.0]).len(), interactions(&[3.0, 4.0]).len()), (0, 0));
        assert_eq!(orders(4).len(), 24);
    }

    proptest! {
        #[test]
        fn they_are_the_means_over_all_orders(worth in games(1, 6)) {
            prop_assert!(values(&worth).iter().zip(values_by_orders(&worth)).all(|(&ours, theirs)| near(ours, theirs)));
        }

        #[test]
        fn interactions_are_what_a_pair_adds_to_its_parts(worth in games(2, 5)) {
            for (one, other, found) in interactions(&worth) {
                prop_assert!(near(found, interaction_by_orders(&worth, one, other)), "{one} {other} {found}");
            }
        }
    }
}
