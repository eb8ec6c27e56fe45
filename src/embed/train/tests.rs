use rand::RngExt;

use super::*;
use crate::embed::{Phrase, Phrases, Role};

/// Cores drawn from a known structure: every phrase has a hidden vector, and the state is the one
/// nearest to t + a + o plus noise; one part in twenty is missing.
fn planted(count: usize, seed: u64) -> CoreSet {
    const HIDDEN: usize = 4;
    let mut random = stream(seed, Purpose::Pairs, 7);
    let mut points = |rows: usize, spread: f32| -> Vec<[f32; HIDDEN]> {
        (0..rows)
            .map(|_| std::array::from_fn(|_| random.random_range(-spread..spread)))
            .collect()
    };
    let parts = [points(12, 1.0), points(40, 1.0), points(40, 1.0)];
    let states = points(150, 2.2);
    let mut random = stream(seed, Purpose::Pairs, 8);
    let mut set = CoreSet::default();
    for _ in 0..count {
        let mut sum = [0.0; HIDDEN];
        let mut core: Phrases = Default::default();
        for ((part, points), role) in core.iter_mut().zip(&parts).zip(Role::ALL) {
            let row = random.random_range(0..points.len());
            if random.random_range(0..60) == 0 {
                continue;
            }
            sum.iter_mut()
                .zip(points[row])
                .for_each(|(sum, x)| *sum += x);
            *part = Phrase::new([format!("{}{row}", role.as_str()).as_str()]);
        }
        sum.iter_mut()
            .for_each(|x| *x += random.random_range(-0.05_f32..0.05));
        let away = |state: &[f32; HIDDEN]| -> f32 {
            state.iter().zip(sum).map(|(x, y)| (x - y) * (x - y)).sum()
        };
        let nearest =
            (0..states.len()).min_by(|a, b| away(&states[*a]).total_cmp(&away(&states[*b])));
        core[3] = nearest.and_then(|row| Phrase::new([format!("s{row}").as_str()]));
        set.add(std::slice::from_ref(&core));
    }
    set
}

fn small() -> Parameters {
    Parameters {
        width: 20,
        epochs: 6,
        batch: 200,
        ..Parameters::default()
    }
}

fn finished(mut trainer: Trainer) -> Model {
    while trainer.train_epoch(|_| {}).expect("finite").is_some() {}
    trainer.into_model()
}

fn bytes(model: &Model) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.safetensors");
    model.save(&path).expect("saved");
    std::fs::read(path).expect("read")
}

#[test]
fn training_recovers_a_planted_structure() -> Result<()> {
    let parameters = Parameters {
        width: 50,
        epochs: 40,
        patience: 0,
        negatives: 4,
        learning_rate: 0.003,
        ..Parameters::default()
    };
    let mut trainer = Trainer::new(parameters, planted(20_000, 1), None)?;
    let first = trainer
        .train_epoch(|_| {})
        .expect("finite")
        .expect("an epoch");
    let mut last = first;
    while let Some(epoch) = trainer.train_epoch(|_| {}).expect("finite") {
        last = epoch;
    }
    assert!(
        trainer.sizes().1 >= 900,
        "ranks are those of held-out cores"
    );
    assert!(
        last.hits_at_10 >= 0.9,
        "hits@10 {} -> {}",
        first.hits_at_10,
        last.hits_at_10
    );
    assert!(last.mean_rank < first.mean_rank && last.held_out_loss < first.held_out_loss);
    Ok(())
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() -> Result<()> {
    for distance in [Distance::L1, Distance::L2] {
        let with = |threads: usize| -> Result<Vec<u8>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a pool").install(|| {
                let parameters = Parameters {
                    distance,
                    ..small()
                };
                Ok(bytes(&finished(Trainer::new(
                    parameters,
                    planted(1500, 2),
                    None,
                )?)))
            })
        };
        let one = with(1)?;
        assert!(one == with(2)? && one == with(5)?, "{distance:?}");
    }
    Ok(())
}

#[test]
fn interrupted_training_ends_with_the_same_bytes() -> Result<()> {
    let folder = tempfile::tempdir().map_err(|error| Error::write("temporary folder", error))?;
    let path = folder.path().join("checkpoint");
    for adam in [AdamKind::Lazy, AdamKind::Dense] {
        let start = || Trainer::new(Parameters { adam, ..small() }, planted(1500, 3), None);
        let whole = bytes(&finished(start()?));
        let mut trainer = start()?;
        for _ in 0..3 {
            trainer.train_epoch(|_| {}).expect("finite");
        }
        trainer.save(&path)?;
        drop(trainer);
        let mut again = start()?;
        again.resume(&path)?;
        assert_eq!(again.history().len(), 3);
        assert!(bytes(&finished(again)) == whole, "{adam:?}");
    }
    Ok(())
}

#[test]
fn a_checkpoint_of_another_training_is_refused() -> Result<()> {
    let folder = tempfile::tempdir().map_err(|error| Error::write("temporary folder", error))?;
    let path = folder.path().join("checkpoint");
    let mut trainer = Trainer::new(small(), planted(500, 4), None)?;
    trainer.train_epoch(|_| {}).expect("finite");
    trainer.save(&path)?;
    let code = |parameters: Parameters, cores: CoreSet| -> Result<_> {
        match Trainer::new(parameters, cores, None)?.resume(&path) {
            Err(Error::Invalid(found)) => Ok(found.first().map(|found| found.code)),
            Err(other) => Err(other),
            Ok(()) => Ok(None),
        }
    };
    use crate::diagnostic::Code;
    let other_seed = Parameters { seed: 9, ..small() };
    let longer = Parameters {
        epochs: 9,
        ..small()
    };
    assert_eq!(code(other_seed, planted(500, 4))?, Some(Code::E005));
    assert_eq!(code(small(), planted(500, 5))?, Some(Code::E005));
    assert_eq!(
        code(longer, planted(500, 4))?,
        None,
        "more epochs may be asked for"
    );
    Ok(())
}

#[test]
fn training_stops_when_held_out_cores_get_no_better() -> Result<()> {
    let parameters = Parameters {
        epochs: 400,
        patience: 3,
        learning_rate: 0.01,
        ..small()
    };
    let mut trainer = Trainer::new(parameters, planted(600, 6), None)?;
    while trainer.train_epoch(|_| {}).expect("finite").is_some() {}
    let history = trainer.history().to_vec();
    assert!(history.len() < 400);
    // For three epochs it has not fallen by half a percent; for no three epochs before had it not.
    let mut least = f64::INFINITY;
    let mut falls = Vec::new();
    for (at, epoch) in history.iter().enumerate() {
        if epoch.held_out_loss < 0.995 * least {
            least = epoch.held_out_loss;
            falls.push(at + 1);
        }
    }
    assert_eq!(falls.last().map(|at| at + 3), Some(history.len()));
    assert!(
        falls.windows(2).all(|pair| pair[1] - pair[0] <= 3),
        "{falls:?}"
    );
    let best = history.iter().map(|epoch| epoch.held_out_loss);
    let best = best.fold(f64::INFINITY, f64::min);
    let kept = trainer.into_model().history;
    assert!(kept.iter().any(|epoch| epoch.held_out_loss == best));
    Ok(())
}

#[test]
fn old_phrases_keep_their_vectors_when_new_texts_come() -> Result<()> {
    let old = finished(Trainer::new(small(), planted(1000, 7), None)?);
    let more = || {
        let mut cores = CoreSet::continuing(old.vocabulary.clone());
        let core = ["time3", "新机构", "agent5", "s7"].map(|part| Phrase::new([part]));
        cores.add(&vec![core; 120]);
        cores
    };
    let new = finished(Trainer::new(small(), more(), Some(&old))?);
    for role in Role::ALL {
        let (old_table, new_table) = (&old.tables[role.index()], &new.tables[role.index()]);
        for row in 0..old_table.rows() {
            assert_eq!(old_table.vector(row), new_table.vector(row));
        }
    }
    let row = new
        .vocabulary
        .number(Role::Agent, "新机构")
        .expect("it joined");
    assert_eq!(row as usize, old.vocabulary.len(Role::Agent) + 1);
    assert_eq!(new.corpora.len(), 2);
    assert_eq!(new.texts, old.texts + 1);
    let moving = Parameters {
        move_old: true,
        ..small()
    };
    let moved = finished(Trainer::new(moving, more(), Some(&old))?);
    assert_ne!(
        moved.tables[3].flat().collect::<Vec<_>>(),
        old.tables[3].flat().collect::<Vec<_>>()
    );
    let narrow = Parameters {
        width: 8,
        ..small()
    };
    assert!(matches!(
        Trainer::new(narrow, more(), Some(&old)),
        Err(Error::Usage(_))
    ));
    Ok(())
}

#[test]
fn senseless_parameters_are_refused() {
    let wrong = [
        Parameters {
            width: 0,
            ..small()
        },
        Parameters {
            negatives: 65,
            ..small()
        },
        Parameters {
            margin: f32::NAN,
            ..small()
        },
        Parameters {
            learning_rate: -1.0,
            ..small()
        },
        Parameters {
            held_out: 0.9,
            ..small()
        },
    ];
    for parameters in wrong {
        let result = Trainer::new(parameters, planted(200, 1), None);
        assert!(matches!(result, Err(Error::Usage(_))));
    }
    assert!(matches!(
        Trainer::new(small(), CoreSet::default(), None),
        Err(Error::Empty(_))
    ));
}

#[test]
fn a_training_that_diverges_is_an_error() -> Result<()> {
    for distance in [Distance::L1, Distance::L2] {
        let parameters = Parameters {
            learning_rate: 1e38,
            epochs: 20,
            patience: 0,
            distance,
            ..small()
        };
        let mut trainer = Trainer::new(parameters, planted(2000, 1), None)?;
        let error = loop {
            match trainer.train_epoch(|_| {}) {
                Ok(Some(epoch)) => assert!(epoch.loss.is_finite() && epoch.mean_rank.is_finite()),
                Ok(None) => panic!("a training with such a rate passed as sound"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("lower the learning rate"), "{error}");
    }
    Ok(())
}
