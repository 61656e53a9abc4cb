//! `docs/schema.json`, made from the types of all objects that the program prints.
//!
//! `BLESS=1 cargo test --workspace --lib schema` writes it anew; it is not to be changed by hand.

use super::backends::BackendAnswer;
use super::bench::Measurement;
use super::check::{CheckAnswer, InvalidAnswer};
use super::constrained::ConstrainedAnswer;
use super::decode::DecodedAnswer;
use super::difficulty::FiguresAnswer;
use super::export::{ExportAnswer, FormulaMap};
use super::farm::check::StoreCheckAnswer;
use super::farm::run::FarmAnswer;
use super::farm::status::StatusAnswer;
use super::generate::GenerateAnswer;
use super::guard::EndedAnswer;
use super::info::{InfoAnswer, ListAnswer};
use super::json::{Object, OfLevel, SCHEMA};
use super::lock::{LockAnswer, LockCheckAnswer};
use super::prove::job::{ProofAnswer, UndecidedAnswer};
use super::query::QuestionAnswer;
use super::replay::ReplaysAnswer;
use super::runs::result::LevelResult;
use super::solve::ScheduleAnswer;
use super::watch::WatchAnswer;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};
use unstuck::questions::answers::{
    DiagnosisAnswer, EnumerationAnswer, ExplanationAnswer, ForcedFactsAnswer, ForcedPushesAnswer,
    HintAnswer, NecessityAnswer,
};
use unstuck::report::LevelAnswer;
use unstuck::solve::Request;
use unstuck_puzzles::Objective;

/// The schemas of all objects, in the making.
struct Schemas {
    generator: SchemaGenerator,
    /// By their names.
    objects: Map<String, Value>,
    commands: BTreeSet<&'static str>,
}

impl Schemas {
    fn add<T: JsonSchema>(&mut self, name: &str) -> &mut Value {
        let schema = T::json_schema(&mut self.generator);
        let object = self.objects.entry(name).or_insert(schema.into());
        object["properties"]["schema"] = json!({ "const": SCHEMA });
        object["propertyNames"] = json!({ "pattern": "^[a-z][a-z0-9_]*$" });
        object
    }

    /// What a command says of a level that it was asked about.
    fn add_result<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.commands.insert(command);
        let object = self.add::<LevelResult<T>>(name);
        object["properties"]["command"] = json!({ "const": command });
        object
    }

    /// An object of a command.
    fn add_object<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.describe::<Object<'_, T>, T>(name, command)
    }

    /// An object about a level.
    fn add_level<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.describe::<Object<'_, OfLevel<'_, T>>, T>(name, command)
    }

    /// The answer to a question about a level.
    fn add_question<T: JsonSchema>(&mut self, name: &str, command: &'static str) -> &mut Value {
        self.describe::<Object<'_, OfLevel<'_, QuestionAnswer<'_, T>>>, T>(name, command)
    }

    /// An object that is described as its own fields are.
    fn describe<T: JsonSchema, Own: JsonSchema>(
        &mut self,
        name: &str,
        command: &'static str,
    ) -> &mut Value {
        self.commands.insert(command);
        let own: Value = Own::json_schema(&mut self.generator).into();
        let object = self.add::<T>(name);
        object["properties"]["command"] = json!({ "const": command });
        object["description"] = own["description"].clone();
        object
    }
}

/// Lets an object have these fields, beside those that it has anyway.
fn require<'a>(object: &mut Value, fields: impl IntoIterator<Item = &'a str>) {
    let required = object["required"].as_array_mut().expect("a list");
    for field in fields {
        if !required.iter().any(|known| known == field) {
            required.push(field.into());
        }
    }
}

/// Lets an object have no fields but these and those that it must have.
fn keep(object: &mut Value, fields: &[&str]) {
    let required = object["required"].as_array().cloned().unwrap_or_default();
    let properties = object["properties"].as_object_mut().expect("fields");
    properties.retain(|name, _| fields.contains(&name.as_str()) || required.contains(&json!(name)));
}

/// Takes out what fields are where they are missing: those that have a default are never missing.
fn without_defaults(schema: &mut Schema) {
    schema.remove("default");
    transform_subschemas(&mut without_defaults, schema);
}

/// The fields of every answer to a level.
fn answered() -> Vec<String> {
    let level = "#####\n#@$.#\n#####\n";
    let level = unstuck::open(unstuck::SOKOBAN, level, Objective::Pushes).expect("a level");
    let outcome = level.solve(&Request::default()).expect("an outcome");
    let answer = LevelAnswer::of(level.reading(&outcome), &outcome);
    match serde_json::to_value(answer) {
        Ok(Value::Object(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
        other => panic!("no object: {other:?}"),
    }
}

fn made() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(without_defaults);
    let mut all = Schemas {
        generator: settings.into_generator(),
        objects: Map::new(),
        commands: BTreeSet::new(),
    };
    let answered = answered();
    let answered = || answered.iter().map(String::as_str);
    require(all.add_result::<LevelAnswer>("solve", "solve"), answered().chain(["objective"]));
    all.add_level::<ScheduleAnswer>("schedule", "solve");
    let constrained = all.add_question::<ConstrainedAnswer>("constrained", "solve");
    require(constrained, ["verdict", "exit", "lower", "upper", "optimal", "certified", "shown_by"]);
    keep(constrained, &["solution"]);
    all.add_level::<ListAnswer>("list", "list");
    all.add_level::<InfoAnswer<'_>>("info", "info");
    all.add_level::<ReplaysAnswer>("replay", "replay");
    all.add_level::<FormulaMap>("map", "export");
    all.add_level::<ExportAnswer<'_>>("export", "export");
    all.add_level::<DecodedAnswer>("decode", "decode");
    all.add_level::<ProofAnswer<'_>>("prove", "prove");
    require(all.add_level::<UndecidedAnswer>("undecided", "prove"), answered());
    all.add_object::<CheckAnswer<'_>>("check", "check");
    all.add_object::<InvalidAnswer<'_>>("invalid", "check");
    all.add_object::<LockCheckAnswer<'_>>("locked", "check");
    all.add_result::<Measurement>("bench", "bench");
    all.add_object::<BackendAnswer<'_>>("backends", "backends");
    all.add_object::<GenerateAnswer<'_>>("generate", "generate");
    all.add_question::<HintAnswer>("hint", "hint");
    all.add_question::<DiagnosisAnswer>("diagnose", "diagnose");
    all.add_question::<EnumerationAnswer>("enumerate", "enumerate");
    all.add_question::<NecessityAnswer>("needed", "needed");
    all.add_question::<ExplanationAnswer>("explain", "explain");
    all.add_question::<ForcedPushesAnswer>("forced_pushes", "forced");
    all.add_question::<ForcedFactsAnswer>("forced_facts", "forced");
    all.add_level::<FiguresAnswer>("difficulty", "difficulty");
    all.add_level::<LockAnswer<'_>>("lock", "lock");
    all.add_level::<WatchAnswer<'_>>("watch", "watch");
    all.add_object::<FarmAnswer<'_>>("farm", "farm");
    all.add_object::<StatusAnswer>("farm_status", "farm");
    all.add_object::<StoreCheckAnswer<'_>>("farm_check", "farm");

    let commands = json!({ "enum": all.commands });
    let failed = all.add::<LevelResult>("failed");
    failed["description"] = "A level, a file or a command that failed.".into();
    failed["required"] = json!(["schema", "command", "verdict", "exit", "error"]);
    failed["properties"]["error"] = json!({ "$ref": "#/$defs/ErrorReport" });
    failed["properties"]["command"] = commands.clone();
    let asked = [
        "file",
        "number",
        "title",
        "puzzle",
        "id",
        "objective",
        "question",
        "limits",
        "after",
        "wishes",
    ];
    keep(failed, &[&asked[..], &["key", "version", "text", "certificate"]].concat());
    let ended = all.add_object::<EndedAnswer<'_>>("ended", "");
    ended["properties"]["command"] = commands;

    let any: Vec<Value> =
        all.objects.keys().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
    all.objects.extend(all.generator.take_definitions(true));
    let made = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Objects that unstuck prints with --json, schema 2",
        "description": "One object on a line for each level, in every command; a level or command \
                        that fails gives an object with `error`.",
        "anyOf": any,
        "$defs": all.objects,
    });
    let mut made: Schema = made.try_into().expect("an object");
    without_defaults(&mut made);
    made
}

#[test]
fn the_schema_is_made_from_the_types() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the project");
    let path = project.join("docs/schema.json");
    let made = format!("{:#}\n", made().as_value());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &made).expect("docs/schema.json");
    }
    let kept = fs::read_to_string(&path).expect("docs/schema.json").replace("\r\n", "\n");
    assert!(kept == made, "run BLESS=1 cargo test --workspace --lib schema");
}
