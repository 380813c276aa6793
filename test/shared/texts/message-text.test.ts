import { expect, test } from "vitest";
import { fillBody, fillLine, fillText, fillUrl, unknownPlaceholders } from "../../../shared/texts/message-text.ts";

const values = { job_name: 'a "job"\nof two lines', job_id: "7" };

test("placeholders are filled in, whatever their case, and other braces are text", () => {
  expect(fillText("{JOB_ID} {job_id} {other} {} {{job_id}} { job_id }", values)).toBe("7 7 {other} {} {7} { job_id }");
});

test("a value never breaks what it stands in", () => {
  expect(JSON.parse(fillBody('{"id": {job_id}, "name": "{job_name}"}', values))).toEqual({
    id: 7,
    name: 'a "job"\nof two lines',
  });
  expect(fillBody("Job {job_name}", values)).toBe('Job a "job"\nof two lines');
  expect(fillUrl("https://x.example/{job_name}?a={job_id}", values)).toBe(
    "https://x.example/a%20%22job%22%0Aof%20two%20lines?a=7",
  );
  expect(fillLine("Re: {job_name}", values)).toBe('Re: a "job" of two lines');
});

test("a value that looks like a placeholder is not filled in again", () => {
  expect(fillText("{a}", { a: "{b}", b: "c" })).toBe("{b}");
});

test("what nobody knows is named", () => {
  expect(unknownPlaceholders("{job_id} {nobody} {A_b}", values)).toEqual(["{nobody}", "{A_b}"]);
});
