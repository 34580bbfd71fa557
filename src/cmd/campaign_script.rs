//! The script of a campaign: what a cluster, GNU parallel or a plain shell runs, a shard at a time.
//!
//! A shard is a folder of its own below the campaign's, and `measure` resumes it. So if anything ends a script, the
//! next run goes on where the last one was.

use shell_words::quote;
use std::fmt::Write;

/// What runs the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Scheduler {
    /// A job array of Slurm, for `sbatch`: one computer of the cluster for each shard, requeued until the shard is
    /// whole
    Slurm,
    /// GNU parallel: one shard at a time on every machine that its options name
    Parallel,
    /// This machine, one shard after another
    Local,
}

/// What stands in the script. No text holds a line break.
#[derive(Clone, Debug)]
pub(super) struct Script<'a> {
    /// The path of this program.
    pub(super) program: &'a str,
    /// The experiment as it was named: a name or a file.
    pub(super) experiment: &'a str,
    /// The experiment's own name: letters, digits, `-`, `_` and `.`.
    pub(super) name: &'a str,
    /// Digits that tell this experiment from others.
    pub(super) digest: &'a str,
    /// Further options of `measure`.
    pub(super) options: &'a [String],
    /// Parts.
    pub(super) shards: u32,
    /// The folder of the campaign.
    pub(super) out: &'a str,
    /// Slurm's time limit of a task.
    pub(super) time: Option<&'a str>,
}

/// Runs a shard and waits for it. A TERM is handed on to it, and then its end is waited for.
const MEASURE: &str = r#"asked='' child=''
trap 'asked=yes; kill -TERM "$child" 2>/dev/null' TERM
# Ctrl-C reaches the shard by itself.
trap 'asked=yes' INT
measure() {
  "$c4lab" measure @WHAT@ --shard "$shard/@SHARDS@" --out "$folder" &
  child=$! status=0
  [ "$asked" != yes ] || kill -TERM "$child"
  wait "$child" || status=$?
  # A signal ends the waiting, not the shard.
  while [ "$asked" = yes ]; do
    asked='' status=0
    wait "$child" || status=$?
  done
}
"#;

const SLURM: &str = r#"shard=$SLURM_ARRAY_TASK_ID
folder=$out/shard-$shard-of-@SHARDS@
progress() { { wc -l <"$folder/samples.csv"; } 2>/dev/null || echo 0; }

before=$(progress)
measure
if [ "$status" = 5 ]; then
  if [ "$(progress)" != "$before" ]; then
    echo "shard $shard is not whole yet: back into the queue" >&2
    scontrol requeue "$SLURM_JOB_ID"
  else
    echo "shard $shard: not one cell came to its end; give it more time" >&2
  fi
fi
exit "$status"
"#;

const LOCAL: &str = r#"# Whoever stops a shard means all of them.
worst=0 told=''
trap 'asked=yes told=yes; kill -TERM "$child" 2>/dev/null' TERM
trap 'asked=yes told=yes' INT
for ((shard = 1; shard <= @SHARDS@; shard++)); do
  folder=$out/shard-$shard-of-@SHARDS@
  measure
  [ -z "$told" ] || [ "$status" = 0 ] || exit "$status"
  case $status in
    0) ;;
    # The other shards go on.
    # Cells that failed or are wrong are rows.
    1 | 4)
      echo "shard $shard ended with status $status" >&2
      [ "$worst" -ge "$status" ] || worst=$status
      ;;
    *)
      echo "shard $shard ended with status $status; to go on, run this again" >&2
      exit "$status"
      ;;
  esac
done
exit "$worst"
"#;

const PARALLEL: &str = r#"mkdir -p "$out" || exit
exec parallel --quote --jobs 1 --joblog "$out"/jobs-@DIGEST@-@SHARDS@.log --resume-failed --line-buffer --termseq TERM,60000,KILL,25 "$@" \
  "$c4lab" measure @WHAT@ --shard "{}/@SHARDS@" --out "$out/shard-{}-of-@SHARDS@" ::: {1..@SHARDS@}
"#;

impl Script<'_> {
    /// The script.
    pub(super) fn of(&self, engine: Scheduler) -> String {
        let body = match engine {
            Scheduler::Slurm => format!("{MEASURE}\n{SLURM}"),
            Scheduler::Local => format!("{MEASURE}\n{LOCAL}"),
            Scheduler::Parallel => PARALLEL.to_string(),
        };
        let about = match engine {
            Scheduler::Slurm => "Submit it with sbatch; a task that runs out of time goes on by itself.",
            Scheduler::Local => "One shard after another; run it again to go on.",
            Scheduler::Parallel => {
                "One shard at a time; run it again to go on. Options of parallel may follow: --sshloginfile HOSTS --workdir ."
            }
        };
        let head = if engine == Scheduler::Slurm { self.directives() } else { String::new() };
        let values = format!("c4lab=${{C4LAB:-{}}}\nout={}\n", quote(self.program), quote(self.out));
        let text = format!(
            "#!/usr/bin/env bash\n{head}# The campaign {} in {} shards. {about}\nset -uo pipefail\n{values}\n{}",
            self.name,
            self.shards,
            self.filled(&body)
        );
        text + &self.afterwards()
    }

    fn filled(&self, body: &str) -> String {
        // What was typed comes last: it may hold anything.
        let body = body.replace("@SHARDS@", &self.shards.to_string()).replace("@DIGEST@", self.digest);
        body.replace("@WHAT@", &self.what())
    }

    /// The experiment and the options, as a shell reads them.
    fn what(&self) -> String {
        let words = [self.experiment].into_iter().chain(self.options.iter().map(String::as_str));
        words.map(quote).collect::<Vec<_>>().join(" ")
    }

    /// What Slurm is told: a whole node for each task, one task at a time on it, and a signal before the time is up.
    fn directives(&self) -> String {
        let name = self.name;
        let mut lines = vec![
            format!("--job-name=c4lab-{name}"),
            format!("--array=1-{}", self.shards),
            "--ntasks=1".to_string(),
            "--cpus-per-task=1".to_string(),
            "--mem=0".to_string(),
            "--exclusive".to_string(),
            "--requeue".to_string(),
            "--signal=B:TERM@60".to_string(),
            "--open-mode=append".to_string(),
            format!("--output=c4lab-{name}-%A-%a.log"),
        ];
        lines.extend(self.time.map(|time| format!("--time={time}")));
        lines.iter().fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "#SBATCH {line}");
            text
        })
    }

    /// How to go on from there.
    fn afterwards(&self) -> String {
        let (program, out) = (quote(self.program), quote(self.out));
        let shards = format!("{out}/shard-*-of-{}", self.shards);
        let options: String = self.options.iter().map(|option| format!(" {}", quote(option))).collect();
        let options = if options.is_empty() { options } else { format!(" --{options}") };
        format!(
            "\n# How much of it is there, and one folder of all shards:\n#   {program} campaign status {} {shards}{options}\n\
             #   {program} merge {out}/merged {shards}\n",
            quote(self.experiment)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    const OUT: &str = "runs/it's a \"$(false)\" `x` {} folder";

    fn script(engine: Scheduler) -> String {
        let options = ["--variants", "pons-12", "--limit", "2"].map(str::to_string);
        let script = Script {
            program: "/opt/my tools/c4lab",
            experiment: "my file.toml",
            name: "mine",
            digest: "0123456789ab",
            options: &options,
            shards: 12,
            out: OUT,
            time: Some("1-00:00:00").filter(|_| engine == Scheduler::Slurm),
        };
        script.of(engine)
    }

    /// What a checker says of a script; `None` where it is not installed.
    fn check(program: &str, arguments: &[&str], text: &str) -> Option<String> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        let said = [output.stdout, output.stderr].concat();
        Some(format!("{}{}", String::from_utf8_lossy(&said), if output.status.success() { "" } else { "failed" }))
    }

    #[test]
    fn shells_read_every_script() {
        for engine in [Scheduler::Slurm, Scheduler::Parallel, Scheduler::Local] {
            let text = script(engine);
            assert_eq!(check("bash", &["-n"], &text), Some(String::new()), "{text}");
            // What looks like an expansion in single quotes is the odd name of the folder.
            if let Some(said) = check("shellcheck", &["--exclude=SC2016", "-"], &text) {
                assert_eq!(said, "", "{text}");
            }
            for gap in ["SHARDS", "WHAT", "DIGEST"] {
                assert!(!text.contains(&format!("@{gap}@")), "{gap}: {text}");
            }
            for line in
                ["campaign status 'my file.toml' ", "/shard-*-of-12 -- --variants pons-12 --limit 2\n", "/merged "]
            {
                assert!(text.contains(line), "{line}: {text}");
            }
        }
    }

    #[test]
    fn a_name_is_one_word_whatever_is_in_it() {
        for word in ["plain-1.2_x/y", "", "a b", OUT, "'", "~", "*", "a\\b", "$HOME", "!x"] {
            let said = check("bash", &["-s"], &format!("set -- {}\nprintf '%s|%s' $# \"$1\"\n", quote(word)));
            assert_eq!(said, Some(format!("1|{word}")), "{word}");
        }
    }

    #[test]
    fn slurm_is_told_what_measuring_needs() {
        let text = script(Scheduler::Slurm);
        let directives: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#SBATCH ")).collect();
        for expected in [
            "--array=1-12",
            "--exclusive",
            "--requeue",
            "--ntasks=1",
            "--cpus-per-task=1",
            "--signal=B:TERM@60",
            "--open-mode=append",
            "--time=1-00:00:00",
        ] {
            assert!(directives.contains(&expected), "{expected}: {text}");
        }
        assert!(text.starts_with("#!/usr/bin/env bash\n#SBATCH "), "directives stand before the first command");
        assert!(!script(Scheduler::Local).contains("SBATCH"));
    }

    /// TERM reaches the shard. The script exits with its status. A shard that is not whole is put back into the queue.
    #[cfg(unix)]
    #[test]
    fn a_slurm_task_hands_term_on_and_requeues_itself() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
        let program = |name: &str, text: &str| {
            std::fs::write(path(name), format!("#!/usr/bin/env bash\n{text}")).unwrap();
            std::fs::set_permissions(path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        };
        // Adds a row when it is told to stop; `--out` is its last argument.
        program(
            "c4lab",
            "for last; do :; done\nmkdir -p \"$last\"\ntrap 'echo row >>\"$last/samples.csv\"; exit 5' TERM\n\
             echo $$ >\"$last/ready\"\nwhile :; do sleep 0.02; done\n",
        );
        program("scontrol", &format!("echo \"$@\" >>'{}'\n", path("requeued")));
        let (out, c4lab) = (path("a b"), path("c4lab"));
        let script = Script {
            program: &c4lab,
            experiment: "quick",
            name: "quick",
            digest: "0",
            options: &[],
            shards: 3,
            out: &out,
            time: None,
        };
        std::fs::write(path("job"), script.of(Scheduler::Slurm)).unwrap();
        let mut command = Command::new("bash");
        command.arg(path("job")).env("SLURM_ARRAY_TASK_ID", "2").env("SLURM_JOB_ID", "77").stderr(Stdio::null());
        command.env("PATH", format!("{}:{}", place.path().display(), std::env::var("PATH").unwrap()));
        let mut child = command.spawn().unwrap();
        while !std::path::Path::new(&format!("{out}/shard-2-of-3/ready")).exists() {
            assert!(child.try_wait().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(5));
        assert_eq!(std::fs::read_to_string(path("requeued")).unwrap(), "requeue 77\n");
    }
}
