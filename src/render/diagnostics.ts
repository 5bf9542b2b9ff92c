import stringWidth from 'string-width';
import type { Annotation } from '../domain/ports.ts';
import { compareDiagnostics, formatDiagnostic, type PrintedDiagnostic } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { joined, page, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { drawLine, span, type TextStyle, type Tone, shortenMiddle } from './spans.ts';
import { countBytes, markdownProse } from './markdown-escape.ts';
import { formatTimesIn, type Zones } from './values.ts';
import { count } from './wording.ts';

type Severity = PrintedDiagnostic['severity'];

/** The worst first. */
const SEVERITIES = {
  error: { tone: 'loud', word: 'error', level: 'error' },
  warning: { tone: 'warn', word: 'warning', level: 'warning' },
  info: { tone: 'dim', word: 'note', level: 'notice' },
} as const satisfies Record<Severity, { tone: Tone; word: string; level: Annotation['level'] }>;

const WORST_FIRST = Object.keys(SEVERITIES) as readonly Severity[];

const MESSAGE_COLUMNS_MAX = 1_000;

/** Space for the line that counts the rest. */
const REST_BYTES = 100;

/** GitHub shows this many of each level for a step. */
const EACH_LEVEL_MAX = 10;

/** Errors, warnings and notes about the files, the service or the state, for each way to draw them. */
export class FindingList {
  readonly #all: readonly PrintedDiagnostic[];

  constructor(all: readonly PrintedDiagnostic[]) {
    this.#all = all;
  }

  /**
   * One `file:line:column: code: message` line each, errors first, then a count line. Empty without findings. Only a terminal has a
   * width, so editors and CI read whole lines. Below it is the line of the file, if `texts` has it.
   */
  drawLines(style: TextStyle, texts: SourceTexts = new Map()): Visible {
    if (this.#all.length === 0) return shown``;
    const lines = mergeFindings(this.#all).flatMap(({ severity, text, place }) => [
      ...drawLine([span(shownText(text), SEVERITIES[severity].tone)], style),
      ...sourceLines(place, texts).flatMap((line) =>
        drawLine([span(line, 'dim')], { ...style, width: Infinity }),
      ),
    ]);
    return page([...lines, visible(countFindings(this.#all))]);
  }

  /** Those of a plan: wrapped, each with its severity as a word. */
  drawWords(style: TextStyle, zones: Zones): readonly Visible[] {
    return mergeFindings(withTimes(this.#all, zones)).flatMap(({ severity, text }) => {
      const { word, tone } = SEVERITIES[severity];
      return drawLine([span(shown`${word}: `, tone), span(shownText(text))], style);
    });
  }

  /** The section of a comment with those of a plan, the worst first, while they fit. Empty without any. */
  drawSection(zones: Zones, bytesMax: number): readonly string[] {
    const items = listItems(withTimes(this.#all, zones), bytesMax);
    return items.length === 0 ? [] : [`#### ${countFindings(this.#all)}`, '', ...items];
  }

  /** A comment with errors and warnings of the files under a heading, and what was left out, as a sentence. */
  drawComment(title: string, leftOut = '', bytesMax = Infinity): string {
    const first = [`### ${title}`, '', ...(leftOut === '' ? [] : [markdownProse(leftOut), ''])];
    return [...first, ...listItems(this.#all, bytesMax - countBytes(first) - REST_BYTES)].join('\n');
  }

  /** On their lines, the worst first. */
  toAnnotations(): readonly Annotation[] {
    const all = this.#all.map(({ severity, code, message, address, file, line, column = 1 }): Annotation => {
      const about = address === undefined || file !== undefined ? '' : `${address}: `;
      const place = file === undefined || line === undefined ? null : { file, line, column };
      return { level: SEVERITIES[severity].level, title: code, message: about + message, place };
    });
    const distinct = [...groupBy(all, (one) => JSON.stringify(one)).values()].map(([one]) => one);
    return WORST_FIRST.flatMap((severity) =>
      distinct.filter(({ level }) => level === SEVERITIES[severity].level).slice(0, EACH_LEVEL_MAX),
    );
  }
}

/** Messages with their times as people say them. */
function withTimes(diagnostics: readonly PrintedDiagnostic[], zones: Zones): readonly PrintedDiagnostic[] {
  return diagnostics.map((one) => ({
    ...one,
    message: formatTimesIn(one.message, zones.get(one.address ?? '') ?? null),
  }));
}

interface Finding {
  readonly severity: Severity;
  readonly text: string;
  readonly place: Pick<PrintedDiagnostic, 'file' | 'line' | 'column'>;
}

/** Distinct findings with their number. A resource of many accounts gives the same finding several times. */
function mergeFindings(diagnostics: readonly PrintedDiagnostic[]): readonly Finding[] {
  const sorted = diagnostics.toSorted(compareDiagnostics);
  const worstFirst = WORST_FIRST.flatMap((severity) => sorted.filter((one) => one.severity === severity));
  const findings = worstFirst.map((place): Finding => {
    return { severity: place.severity, text: formatDiagnostic(place), place };
  });
  const equal = groupBy(findings, ({ severity, text }) => `${severity} ${text}`);
  return [...equal.values()].map(([first, ...others]) =>
    others.length === 0 ? first : { ...first, text: `${first.text} (${others.length + 1} times)` },
  );
}

/** Findings shown in Markdown. Each is at most a few kilobytes, so that some fit into any comment. */
const FINDINGS_MAX = 30;

function listItems(diagnostics: readonly PrintedDiagnostic[], bytesMax: number): readonly string[] {
  const findings = mergeFindings(diagnostics);
  if (findings.length === 0) return [];
  const lines: string[] = [];
  for (const { severity, text } of findings.slice(0, FINDINGS_MAX)) {
    const line = `- **${severity}** ${markdownProse(text)}`;
    if (countBytes([...lines, line]) > bytesMax) break;
    lines.push(line);
  }
  const more = findings.length - lines.length;
  return [...lines, ...(more > 0 ? [`- … and ${more} more`] : []), ''];
}

/** `2 errors, 1 warning`. */
function countFindings(diagnostics: readonly PrintedDiagnostic[]): string {
  return WORST_FIRST.map((severity) => {
    const number = diagnostics.filter((one) => one.severity === severity).length;
    return number === 0 ? '' : count(number, SEVERITIES[severity].word);
  })
    .filter(Boolean)
    .join(', ');
}

function shownText(text: string): Visible {
  return shortenMiddle(visibleProse(text), MESSAGE_COLUMNS_MAX);
}

/** The lines of files, by path. */
type SourceTexts = ReadonlyMap<string, readonly string[]>;

/** Longer lines are shown around the place. */
const LINE_UNITS_MAX = 120;
const BEFORE_UNITS = 60;

/** A user name and perhaps a password in an address. Such a line is not shown. */
const USER_INFO = /:\/\/[^/\s"']*@/;

/**
 * The line of a finding, and a mark below its column. Empty if the line is not known.
 *
 * ```text
 *   13 |         price_gross: 14.5
 *      |                      ^
 * ```
 */
function sourceLines(
  { file = '', line = 0, column = 1 }: Pick<PrintedDiagnostic, 'file' | 'line' | 'column'>,
  texts: SourceTexts,
): readonly Visible[] {
  const text = texts.get(file)?.[line - 1];
  if (text === undefined || text.trim() === '' || USER_INFO.test(text)) return [];
  const from = column > LINE_UNITS_MAX - BEFORE_UNITS ? column - 1 - BEFORE_UNITS : 0;
  const before = visible(text.slice(from, column - 1));
  const rest = visible(text.slice(column - 1, from + LINE_UNITS_MAX).trimEnd());
  const number = shown`  ${line} | `;
  const columns = stringWidth(before) + Number(from > 0);
  return [
    joined([number, from > 0 ? shown`…` : shown``, before, rest], ''),
    shown`${' '.repeat(number.length - 2)}| ${' '.repeat(columns)}^`,
  ];
}
