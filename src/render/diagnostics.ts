import { compareDiagnostics, formatDiagnostic, type PrintedDiagnostic } from '../domain/diagnostic.ts';
import { page, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { shortenMiddle } from './shorten.ts';
import { drawLine, paint, span, type TextStyle, type Tone } from './spans.ts';
import { sourceLines, type SourceTexts } from './source-lines.ts';
import { timesInProse } from './time-words.ts';
import { count } from './wording.ts';
import type { Zones } from './zones.ts';

type Severity = PrintedDiagnostic['severity'];

interface SeverityWord {
  readonly rank: number;
  readonly tone: Tone;
  readonly singular: string;
  readonly plural: string;
}

const SEVERITIES = {
  error: { rank: 0, tone: 'loud', singular: 'error', plural: 'errors' },
  warning: { rank: 1, tone: 'warn', singular: 'warning', plural: 'warnings' },
  info: { rank: 2, tone: 'dim', singular: 'note', plural: 'notes' },
} as const satisfies Record<Severity, SeverityWord>;

const MESSAGE_COLUMNS_MAX = 1_000;

/** No file is shown. */
const NO_TEXTS: SourceTexts = new Map();

/**
 * One `file:line:column: code: message` line each, errors first, then a count line. Empty without diagnostics. Lines
 * are not wrapped, so that editors and CI can read the places. Below it is the line of the file, if `texts` has it.
 */
export function renderDiagnostics(
  diagnostics: readonly PrintedDiagnostic[],
  style: TextStyle,
  texts = NO_TEXTS,
): Visible {
  if (diagnostics.length === 0) return shown``;
  const lines = distinctFindings(diagnostics).flatMap(({ severity, text, place }) => [
    paint(span(shownText(text), SEVERITIES[severity].tone), style),
    ...sourceLines(place, texts).map((line) => paint(span(line, 'dim'), style)),
  ]);
  return page([...lines, visible(countFindings(diagnostics))]);
}

/** The same for a plan: wrapped, each with its severity as a word. */
export function drawFindings(
  diagnostics: readonly PrintedDiagnostic[],
  style: TextStyle,
  zones: Zones,
): readonly Visible[] {
  return distinctFindings(withTimes(diagnostics, zones)).flatMap(({ severity, text }) => {
    const { singular, tone } = SEVERITIES[severity];
    return drawLine([span(shown`${singular}: `, tone), span(shownText(text))], style);
  });
}

/** Messages with their times as people say them. */
export function withTimes(
  diagnostics: readonly PrintedDiagnostic[],
  zones: Zones,
): readonly PrintedDiagnostic[] {
  return diagnostics.map((one) => ({
    ...one,
    message: timesInProse(one.message, zones.get(one.address ?? '') ?? null),
  }));
}

interface Finding {
  readonly severity: Severity;
  readonly text: string;
  readonly place: Pick<PrintedDiagnostic, 'file' | 'line' | 'column'>;
}

/** Distinct findings with their number. A resource of many accounts gives the same finding several times. */
export function distinctFindings(diagnostics: readonly PrintedDiagnostic[]): readonly Finding[] {
  const found = new Map<string, Finding & { times: number }>();
  for (const diagnostic of sortFindings(diagnostics)) {
    const { severity } = diagnostic;
    const text = formatDiagnostic(diagnostic);
    const known = found.get(`${severity} ${text}`);
    if (known === undefined)
      found.set(`${severity} ${text}`, { severity, text, place: diagnostic, times: 1 });
    else known.times += 1;
  }
  return [...found.values()].map(({ severity, text, place, times }) => ({
    severity,
    place,
    text: times === 1 ? text : `${text} (${times} times)`,
  }));
}

/** Sorts by severity, then by place. */
function sortFindings(diagnostics: readonly PrintedDiagnostic[]): readonly PrintedDiagnostic[] {
  return diagnostics.toSorted((left, right) => {
    return (
      SEVERITIES[left.severity].rank - SEVERITIES[right.severity].rank || compareDiagnostics(left, right)
    );
  });
}

/** `2 errors, 1 warning`. */
export function countFindings(diagnostics: readonly PrintedDiagnostic[]): string {
  const severities: readonly Severity[] = ['error', 'warning', 'info'];
  return severities
    .map((severity) => ({ severity, number: diagnostics.filter((one) => one.severity === severity).length }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => count(number, SEVERITIES[severity].singular, SEVERITIES[severity].plural))
    .join(', ');
}

function shownText(text: string): Visible {
  return shortenMiddle(visibleProse(text), MESSAGE_COLUMNS_MAX);
}
