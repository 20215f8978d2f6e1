import { describe, expect, test } from "vitest";
import { EnvError, parseEnv } from "~/infra/env.server";
import { databaseNameOf, isMongodbUri, withDatabaseName } from "~/infra/mongodb-uri";

describe("a URI of MongoDB", () => {
  test.each([
    "localhost:27017",
    "http://localhost",
    "mongodb://",
    "mongodb:///platform",
    "mongodb://user:pass/word@h",
    "mongodb://user:100%@h",
    "mongodb://h/100%",
    "mongodb+srv://a,b",
    "mongodb+srv://cluster0.example.net:27017",
  ])("may not be %s", (text) => {
    expect(isMongodbUri(text)).toBe(false);
  });
});

test("one that cannot be parsed is refused without being shown", () => {
  const refusal = () => parseEnv({ MONGODB_URI: "mongodb://ann/e:sesame/open@h/platform" });
  expect(refusal).toThrow(EnvError);
  expect(refusal).toThrow(/^MONGODB_URI cannot be parsed: (?!.*(ann|sesame|platform)).+$/);
});

describe("the name of the database", () => {
  test.each([
    ["mongodb://h", ""],
    ["mongodb://h/", ""],
    ["mongodb://a,b?replicaSet=rs0", ""],
    ["mongodb://a:27017,b/platform?replicaSet=rs0", "platform"],
    ["mongodb://user:p%40ss@h/platform", "platform"],
    ["mongodb://h/my%20tours", "my tours"],
    ["mongodb+srv://cluster0.example.net/platform", "platform"],
  ])("of %s is %j", (uri, name) => {
    expect(databaseNameOf(uri)).toBe(name);
  });

  test.each([
    ["mongodb://h", "mongodb://h/other"],
    ["mongodb://h:27017/platform", "mongodb://h:27017/other"],
    ["mongodb://[::1]:27017/platform", "mongodb://[::1]:27017/other"],
    [
      "mongodb://a:27017,b:27018,c?replicaSet=rs0",
      "mongodb://a:27017,b:27018,c/other?replicaSet=rs0",
    ],
    [
      "mongodb+srv://cluster0.example.net/platform?retryWrites=true&w=majority",
      "mongodb+srv://cluster0.example.net/other?retryWrites=true&w=majority",
    ],
  ])("of %s changes alone", (uri, renamed) => {
    expect(withDatabaseName(uri, "other")).toBe(renamed);
  });

  test.each([
    ["mongodb://u:p%40ss@h", "mongodb://u:p%40ss@h/other?authSource=admin"],
    ["mongodb://u:p@h/platform", "mongodb://u:p@h/other?authSource=platform"],
    ["mongodb://u:p@h/platform?authsource=staff", "mongodb://u:p@h/other?authsource=staff"],
    [
      "mongodb://u:p@h/?authMechanism=SCRAM-SHA-1",
      "mongodb://u:p@h/other?authMechanism=SCRAM-SHA-1&authSource=admin",
    ],
    ["mongodb://u@h/?authMechanism=MONGODB-X509", "mongodb://u@h/other?authMechanism=MONGODB-X509"],
  ])("does not change where %s logs in", (uri, renamed) => {
    expect(withDatabaseName(uri, "other")).toBe(renamed);
  });
});
