use super::*;
use crate::embed::{CoreSet, Embedder, ImpactKind, Impacts, Phrases, Trainer};

fn core(parts: [&str; ROLES]) -> Phrases {
    parts.map(|part| Phrase::new(part.split(' ')))
}

fn model() -> Result<Model> {
    let mut cores = CoreSet::default();
    cores.add(&[
        core(["2019-09", "央行", "黄金 价格", "上涨"]),
        core(["2019", "央行", "白银 价格", "下跌"]),
        core(["2019-09", "IMF", "价格", "未 上涨"]),
    ]);
    let parameters = Parameters {
        width: 6,
        epochs: 2,
        ..Parameters::default()
    };
    let mut trainer = Trainer::new(parameters, cores, None)?;
    while trainer.train_epoch(|_| {}).expect("finite").is_some() {}
    Ok(trainer.into_model())
}

#[test]
fn a_model_comes_back_from_its_file_as_it_was() -> Result<()> {
    let model = model()?;
    let folder = tempfile::tempdir().map_err(|error| crate::Error::write("folder", error))?;
    let path = folder.path().join("m.safetensors");
    model.save(&path)?;
    let again = Model::load(&path)?;
    assert_eq!(again.parameters, model.parameters);
    assert_eq!(again.tables, model.tables);
    assert_eq!(again.history, model.history);
    assert_eq!((again.texts, &again.corpora), (1, &model.corpora));
    assert_eq!(again.vocabulary.number(Role::State, "未上涨"), Some(3));
    let number = again.vocabulary.number(Role::Object, "黄金价格");
    let phrase = number.and_then(|number| again.vocabulary.phrase(Role::Object, number));
    assert_eq!(
        phrase.map(Phrase::spaced),
        Some("黄金 价格"),
        "words are kept apart"
    );
    assert!(Model::load(&folder.path().join("none")).is_err());
    Ok(())
}

#[test]
fn near_phrases_come_by_their_distance_and_without_the_phrase_itself() -> Result<()> {
    let model = model()?;
    let own = model.tables[3].vector(1).to_vec();
    let near = model.near(Role::State, &own, Some(1), 10);
    assert_eq!(near.len(), 2);
    assert!(near[0].distance <= near[1].distance);
    assert!(near.iter().all(|near| near.phrase != "上涨"));
    assert_eq!(model.near(Role::State, &own, None, 1)[0].phrase, "上涨");
    Ok(())
}

#[test]
fn unknown_phrases_are_composed_from_known_words() -> Result<()> {
    let model = model()?;
    let embedder = Embedder::new(model.clone());
    let object =
        |text: &str| embedder.phrase(Role::Object, &Phrase::new(text.split(' ')).expect("words"));
    let vector = |role: Role, text: &str| {
        let number = model.vocabulary.number(role, text).expect("known");
        model.tables[role.index()].vector(number as usize).to_vec()
    };
    // 价格 is a phrase itself; 黄金 only stands in one.
    let expected: Vec<f32> = vector(Role::Object, "黄金价格")
        .iter()
        .zip(vector(Role::Object, "价格"))
        .map(|(a, b)| (a + b) / 2.0)
        .collect();
    let found = object("黄金 期货 价格").expect("two words are known");
    assert!(
        found
            .iter()
            .zip(&expected)
            .all(|(a, b)| (a - b).abs() < 1e-6)
    );
    assert_eq!(object("黄金 价格"), Some(vector(Role::Object, "黄金价格")));
    assert_eq!(object("猪肉"), None);
    let day = embedder.phrase(Role::Time, &Phrase::new(["2019-09-07"]).expect("a time"));
    assert_eq!(
        day,
        Some(vector(Role::Time, "2019-09")),
        "a day falls back on its month"
    );
    let quarter = embedder.phrase(Role::Time, &Phrase::new(["2019-Q3"]).expect("a time"));
    assert_eq!(quarter, Some(vector(Role::Time, "2019")));
    Ok(())
}

#[test]
fn an_impact_is_the_sum_of_its_cores_and_says_where_they_come_from() -> Result<()> {
    let embedder = Embedder::new(model()?);
    let known = core(["2019-09", "央行", "黄金 价格", "上涨"]);
    let half = core(["", "央行", "黄金 期货", "猪肉"]);
    let vector = embedder.core(&half);
    assert_eq!(vector.len(), 24);
    assert!(
        vector[..6].iter().all(|x| *x == 0.0),
        "a missing time adds nothing"
    );
    assert!(
        vector[18..].iter().all(|x| *x == 0.0),
        "nor does what is not known at all"
    );
    let impact = embedder.impact(&[known.clone(), half.clone(), known.clone()]);
    let single = embedder.core(&known);
    for (at, x) in impact.vector.iter().enumerate() {
        assert!((x - (2.0 * single[at] + vector[at])).abs() < 1e-6);
    }
    let origins = impact.origins;
    assert_eq!((origins.known, origins.composed), (9, 1));
    assert_eq!((origins.unknown, origins.missing), (1, 1));
    assert!((origins.share_unknown() - 2.0 / 11.0).abs() < 1e-12);
    let mut impacts = Impacts::new(24, ImpactKind::Sum);
    impacts.push("甲", &impact)?;
    impacts.push("乙", &embedder.impact(&[]))?;
    let folder = tempfile::tempdir().map_err(|error| crate::Error::write("folder", error))?;
    let path = folder.path().join("i.safetensors");
    impacts.save(&path)?;
    let again = Impacts::load(&path)?;
    assert_eq!(again.ids, ["甲", "乙"]);
    assert_eq!(again.vectors(), impacts.vectors());
    assert_eq!(
        (again.cores.clone(), again.origins),
        (vec![3, 0], impacts.origins)
    );
    let mut means = again;
    means.set_kind(ImpactKind::Mean);
    assert!((means.vectors()[(0, 7)] - impact.vector[7] / 3.0).abs() < 1e-7);
    means.set_kind(ImpactKind::Sum);
    assert!((means.vectors()[(0, 7)] - impact.vector[7]).abs() < 1e-5);
    assert!(Model::load(&path).is_err(), "impacts are no model");
    Ok(())
}
