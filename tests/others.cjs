#!/usr/bin/env node
// What the programs of others say of ours: Neo4j's own parser of the Cypher that `export` writes, and the inspector of the
// Model Context Protocol of `mcp`, over the standard streams and over HTTP.
//
//     NODE_PATH=DIR/node_modules node tests/others.cjs target/release/banyan
//
// Needs the packages @neo4j-cypher/language-support and @modelcontextprotocol/inspector.
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join, resolve } = require("node:path");
const { tmpdir } = require("node:os");
const { lintCypherQuery } = require("@neo4j-cypher/language-support");

const banyan = resolve(process.argv[2]);
const place = mkdtempSync(join(tmpdir(), "banyan-others-"));
const store = join(place, "notes.banyan");
const faults = [];
// Until all of it was looked at.
process.exitCode = 1;
const expect = (is, words) => { if (!is) faults.push(words); };
const run = (...line) => execFileSync(banyan, ["--quiet", "--embedder", "none", ...line], { encoding: "utf8" });

function cypher() {
  const file = join(place, "graph.cypher");
  run("export", "--store", store, "--out", file);
  const text = readFileSync(file, "utf8");
  const wrong = lintCypherQuery(text, {}).diagnostics ?? lintCypherQuery(text, {});
  for (const one of wrong.filter(({ severity }) => severity === 1)) faults.push(`Cypher: ${one.message} in ${text.split("\n")[one.range.start.line]}`);
  const broken = lintCypherQuery("CREATE (n {a: });", {});
  expect((broken.diagnostics ?? broken).some(({ severity }) => severity === 1), "Cypher: the parser takes what is none");
}

/** What the inspector's command line prints of the server that `where` leads to. */
function inspected(where, ...line) {
  const program = require.resolve("@modelcontextprotocol/inspector/cli/build/cli.js");
  return JSON.parse(execFileSync(process.execPath, [program, "--cli", ...where, "--method", ...line], { encoding: "utf8" }));
}

function protocol(where, name) {
  const { tools } = inspected(where, "tools/list");
  const names = tools.map((tool) => tool.name);
  expect(names.includes("query") && names.includes("records"), `${name}: ${names}`);
  const question = ["--tool-arg", "question=Where was Ada Quill born?", "mode=open"];
  const answer = inspected(where, "tools/call", "--tool-name", "query", ...question);
  expect(!answer.isError && answer.content[0].text.includes("Vessing"), `${name}: ${JSON.stringify(answer)}`);
  const nobody = inspected(where, "tools/call", "--tool-name", "node", "--tool-arg", "name=Nobody At All");
  expect(nobody.isError === true, `${name}: ${JSON.stringify(nobody)}`);
}

async function main() {
  writeFileSync(join(place, "a.md"), "Ada Quill was born in Vessing. Ada Quill married Bo O'Ferren. She wrote \"The `Low` Tide\" \\ and {more}.\n");
  run("build", join(place, "a.md"), "--store", store);
  cypher();
  protocol([banyan, "--quiet", "--embedder", "none", "mcp", "--store", store], "stdio");
  const server = spawn(banyan, ["--quiet", "--embedder", "none", "serve", "--store", store, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const line = await new Promise((found, failed) => {
      server.stdout.once("data", (data) => found(String(data).trim()));
      server.once("exit", (code) => failed(new Error(`the server ended with ${code}`)));
      server.once("error", failed);
    });
    protocol([`${line.replace(/\/$/, "")}/mcp`, "--transport", "http"], "http");
  } finally {
    server.kill();
  }
}

main()
  .catch((error) => faults.push(String(error)))
  .finally(() => {
    rmSync(place, { recursive: true, force: true });
    faults.forEach((fault) => console.log(fault));
    console.log("others:", faults.length ? `${faults.length} faults` : "no fault");
    process.exitCode = Number(faults.length > 0);
  });
