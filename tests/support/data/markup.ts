import assert from "node:assert/strict";
import { type DefaultTreeAdapterMap, parse } from "parse5";

type Node = DefaultTreeAdapterMap["node"];

/** A document taken apart as a browser does it. */
export interface Markup {
  /** The names of all elements. */
  elements: Set<string>;
  /** The names of all attributes. */
  attributes: Set<string>;
  /** The texts of all script elements. */
  scripts: string[];
}

/** Reads a document by the rules of HTML; what stands in templates counts as well. */
export function readMarkup(html: string): Markup {
  const markup: Markup = { elements: new Set(), attributes: new Set(), scripts: [] };
  visit(parse(html));
  return markup;

  function visit(node: Node): void {
    if ("tagName" in node) {
      markup.elements.add(node.tagName);
      for (const { name } of node.attrs) markup.attributes.add(name);
      if (node.tagName === "script") markup.scripts.push(textOf(node));
    }
    if ("content" in node) visit(node.content);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  }
}

function textOf(node: DefaultTreeAdapterMap["element"]): string {
  return node.childNodes.map((child) => "value" in child ? child.value : "").join("");
}

/** Breaks out of a title, a script, a comment, a tag, an attribute and a string. */
export const markupProbe = `</title></script>--><x-probe a='"'>`;

/** The same for what can't have a slash. */
export const slashlessProbe = `--><x-probe a='"'>&amp;\u2028`;

/**
 * Asserts that a probe in a document is text, however it was escaped: it has become no element and
 * no attribute, and in a script it does not end the string that it stands in.
 */
export function assertProbeIsText(html: string, told: string): void {
  assert.match(html, /x-probe/, `${told} tells no name: the test would see nothing`);
  const { elements, attributes, scripts } = readMarkup(html);
  assert.ok(!elements.has("x-probe"), `${told} ${/.{60}<x-probe.{20}/is.exec(html)?.[0]}`);
  const strange = [...attributes].filter((name) => !/^[a-z][\w:-]*$/i.test(name));
  assert.deepEqual(strange, [], `${told}: an attribute was broken out of`);
  for (const script of scripts) {
    assert.ok(!script.includes(`a='"'`), `${told}: the quotes are bare in a script`);
  }
}
