use c4lab::{game::Position,solve::*};
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[2]).unwrap();
    let goal = if a.get(4).is_some_and(|g| g=="weak") {Goal::Weak} else {Goal::Strong};
    let n: usize = a[3].parse().unwrap();
    let e = registry::find(&a[1]).unwrap();
    let mut s = e.build(&Options::default()).unwrap();
    let (mut nodes, mut time, mut wrong, mut count)=(0,0.0,0,0);
    for line in text.lines().take(n) {
        let (m, sc) = line.split_once(' ').unwrap();
        let p = Position::parse(m).unwrap();
        s.reset();
        let t = Instant::now();
        let r = s.solve(&p, goal, &Limits::default()).unwrap();
        time += t.elapsed().as_secs_f64(); nodes += r.nodes; count+=1;
        wrong += (r.score != goal.of(sc.parse().unwrap())) as u32;
    }
    println!("{} {} {} n={count} wrong={wrong} mean_nodes={:.4} mean_us={:.2} Mn/s={:.2}", a[1], a[2].rsplit('/').next().unwrap(), goal.name(), nodes as f64/count as f64, time*1e6/count as f64, nodes as f64/time/1e6);
}
