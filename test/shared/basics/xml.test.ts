import { describe, expect, test } from "vitest";
import { child, childrenNamed, childText, parseXml, XmlError } from "../../../shared/basics/xml.ts";

describe("XML from strangers", () => {
  test("is read as elements, attributes and text, without prefixes", () => {
    const root = parseXml(
      '\ufeff<?xml version="1.0"?><!-- c --><a:list xmlns:a="urn:a" a:size=\'2\'>\n <item id="1">x &amp; &#x41;</item><item/>' +
        "<deep><name><![CDATA[<raw> & ]]>text</name></deep></a:list><!-- end -->",
    );
    expect([root.name, Object.fromEntries(root.attributes)]).toEqual(["list", { size: "2" }]);
    expect(childrenNamed(root, "item").map(({ text }) => text)).toEqual(["x & A", ""]);
    expect(childText(root, "deep", "name")).toBe("<raw> & text");
    expect([child(root, "deep", "nothing"), childText(root, "item", "nothing")]).toEqual([undefined, undefined]);
  });

  test.each([
    ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "a document type is not allowed"],
    ["<a><!ENTITY x 'y'></a>", "a document type is not allowed"],
    ["<a>&x;</a>", 'the entity "&x;" is not known'],
    ["<a>&#0;</a>", 'the entity "&#0;" is not known'],
    ["<a>& b</a>", 'the entity "&" is not known'],
    ["<a><b></a></b>", "</b> was expected"],
    ["<a", "<a> is not closed"],
    ["<a>", "the document ends within an element"],
    ["<a/><b/>", "something follows the root element"],
    ['<a x="1" x="2"/>', "the attribute x is there twice"],
    ["<a x=1/>", "<a> is not closed"],
    ["<!-- a", '"<!--" has no end'],
    ["", "an element was expected"],
  ])("%s is refused: %s", (text, message) => {
    expect(() => parseXml(text)).toThrow(XmlError);
    expect(() => parseXml(text)).toThrow(message);
  });

  test("what is too deep or too much is refused", () => {
    expect(() => parseXml("<a>".repeat(65))).toThrow("elements lie more than 64 deep");
    expect(() => parseXml(`<a>${"<b/>".repeat(200_000)}</a>`)).toThrow("there are more than 200000 elements");
  });

  test("a document of many attributes and spaces takes no more time than its length", () => {
    const long = `<a ${" ".repeat(200_000)}`;
    const many = `<a${Array.from({ length: 50_000 }, (_, index) => ` a${index}="v"`).join("")}/>`;
    expect(() => parseXml(long)).toThrow("<a> is not closed");
    expect(parseXml(many).attributes.size).toBe(50_000);
  });
});
