import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import PDFDocument from "pdfkit";
import type { Block } from "../../media/reports/report.ts";
import { bundledPath } from "../tools/bundled.ts";

type Doc = InstanceType<typeof PDFDocument>;

const ink = "#161616";
const pale = "#616161";
const line = "#c9c9c9";
const good = "#0b664a";
const bad = "#a8320b";
const warn = "#7a5200";
const left = 56;
const width = 483;

/** Draws a report on A4 pages into a new file. */
export const writePdf = async (
  path: string,
  blocks: readonly Block[],
  about: { readonly title: string },
): Promise<void> => {
  const doc = new PDFDocument({ size: "A4", margins: { top: 56, bottom: 64, left, right: 56 }, bufferPages: true });
  doc.info.Title = about.title;
  doc.info.Creator = "Mediafarm";
  doc.registerFont("plain", bundledPath("DejaVuSans.ttf"));
  doc.registerFont("bold", bundledPath("DejaVuSans-Bold.ttf"));
  const file = doc.pipe(createWriteStream(path, { flags: "wx" }));
  for (const block of blocks) draw(doc, block);
  numberPages(doc, about.title);
  doc.end();
  await finished(file);
};

const draw = (doc: Doc, block: Block): void => {
  // Each kind has its drawing function, a relation that TypeScript cannot follow through an index.
  (drawers[block.is] as (doc: Doc, block: Block) => void)(doc, block);
};

type Drawers = { readonly [K in Block["is"]]: (doc: Doc, block: Extract<Block, { is: K }>) => void };

const drawers: Drawers = {
  heading: (doc, { level, text }) => {
    room(doc, 70);
    doc.moveDown(level === 1 ? 0 : 0.9);
    doc
      .font("bold")
      .fontSize(level === 1 ? 18 : 11)
      .fillColor(ink)
      .text(text, left, doc.y, { width });
    doc.moveDown(0.35);
  },
  verdict: (doc, { passed, text }) => {
    const y = doc.y;
    doc.rect(left, y, width, 30).fill(passed ? "#e2f2ec" : "#fce9e1");
    doc
      .font("bold")
      .fontSize(12)
      .fillColor(passed ? good : bad);
    doc.text(`${passed ? "✓" : "✗"}  ${text}`, left + 12, y + 8, { width: width - 24 });
    doc.y = y + 38;
  },
  checks: (doc, { checks }) => {
    for (const { outcome, message, condition } of checks) {
      room(doc, 36);
      const [glyph, color] = marks[outcome];
      const y = doc.y;
      doc.font("bold").fontSize(9).fillColor(color).text(glyph, left, y, { width: 16 });
      doc
        .font("plain")
        .fillColor(ink)
        .text(message, left + 18, y, { width: width - 18 });
      doc
        .fontSize(7)
        .fillColor(pale)
        .text(condition, left + 18, doc.y, { width: width - 18 });
      doc.moveDown(0.5);
    }
  },
  table: (doc, { rows }) => {
    for (const [name, value] of rows) {
      room(doc, 18);
      const y = doc.y;
      doc.font("plain").fontSize(8.5).fillColor(pale).text(name, left, y, { width: 210 });
      const below = doc.y;
      doc.fillColor(ink).text(value, left + 218, y, { width: width - 218 });
      doc.y = Math.max(below, doc.y) + 2;
      doc
        .moveTo(left, doc.y)
        .lineTo(left + width, doc.y)
        .lineWidth(0.4)
        .strokeColor(line)
        .stroke();
      doc.y += 3;
    }
  },
  stills: (doc, { stills }) => {
    const [across, gap] = [3, 9];
    const wide = (width - (across - 1) * gap) / across;
    const high = (wide * 9) / 16;
    for (const [at, { path, sec }] of stills.entries()) {
      if (at % across === 0) room(doc, high + 24);
      const [x, y] = [left + (at % across) * (wide + gap), doc.y + 4];
      doc.rect(x, y, wide, high).fill(ink);
      doc.image(path, x, y, { fit: [wide, high], align: "center", valign: "center" });
      doc
        .font("plain")
        .fontSize(7)
        .fillColor(pale)
        .text(`${sec.toFixed(2)} s`, x, y + high + 2, { width: wide });
      // The next one of the row stands beside it.
      doc.y = at % across === across - 1 || at === stills.length - 1 ? y + high + 14 : y - 4;
    }
    doc.x = left;
  },
  intervals: (doc, { total, intervals }) => {
    room(doc, 40);
    const y = doc.y + 6;
    doc.rect(left, y, width, 10).lineWidth(0.5).strokeColor(line).stroke();
    for (const [begin, end] of intervals) {
      const from = (begin / total) * width;
      doc.rect(left + from, y, Math.max(1, ((end - begin) / total) * width), 10).fill(bad);
    }
    doc
      .font("plain")
      .fontSize(7)
      .fillColor(pale)
      .text("0 s", left, y + 13, { width: 80 });
    doc.text(`${total.toFixed(2)} s`, left + width - 80, y + 13, { width: 80, align: "right" });
    doc.x = left;
    doc.moveDown(0.6);
  },
  chart: (doc, { title, unit, values, stepSec }) => {
    room(doc, 130);
    doc.font("plain").fontSize(8).fillColor(pale).text(`${title} (${unit})`, left, doc.y, { width });
    const [top, height] = [doc.y + 4, 80];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const span = high - low || 1;
    doc.rect(left, top, width, height).lineWidth(0.5).strokeColor(line).stroke();
    for (const [index, value] of values.entries()) {
      const x = left + (index / (values.length - 1)) * width;
      const y = top + height - 4 - ((value - low) / span) * (height - 8);
      if (index === 0) doc.moveTo(x, y);
      else doc.lineTo(x, y);
    }
    doc.lineWidth(0.9).strokeColor(ink).stroke();
    const seconds = ((values.length - 1) * stepSec).toFixed(1);
    doc
      .fontSize(7)
      .fillColor(pale)
      .text(`${low.toFixed(1)} to ${high.toFixed(1)} ${unit}, ${seconds} s`, left, top + height + 4, { width });
    doc.moveDown(0.6);
  },
};

const marks = { passed: ["✓", good], failed: ["✗", bad], warning: ["!", warn] } as const;

/** Starts a new page if the next part does not fit. */
const room = (doc: Doc, height: number): void => {
  if (doc.y + height > doc.page.height - doc.page.margins.bottom) doc.addPage();
};

const numberPages = (doc: Doc, title: string): void => {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page);
    const bottom = doc.page.margins.bottom;
    // Text below the margin would start another page.
    doc.page.margins.bottom = 0;
    doc.font("plain").fontSize(7).fillColor(pale);
    doc.text(title, left, doc.page.height - 40, { width: 360, lineBreak: false });
    doc.text(`${page + 1 - start}/${count}`, left + width - 80, doc.page.height - 40, { width: 80, align: "right" });
    doc.page.margins.bottom = bottom;
  }
};
