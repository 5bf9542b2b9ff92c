import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Policy, PolicyLevel, PolicyRule } from '../domain/policy.ts';
import { joined, page, shown, type Visible, visible } from '../domain/visible.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { drawLine, span, type TextStyle, type Tone } from './spans.ts';
import { count } from './wording.ts';

/** One rule of `policy:` as it is set; `fires` is null where only a plan can tell. */
export interface RuleReport {
  readonly rule: PolicyRule | 'max_changes';
  /** null when the rule is not set. */
  readonly level: PolicyLevel | null;
  readonly setting: string | null;
  readonly fires: number | null;
}

export interface PolicyReport {
  readonly rules: readonly RuleReport[];
  readonly findings: readonly Diagnostic[];
  readonly resources: number;
  /** Resources that are to be sent; the others are not judged. */
  readonly judged: number;
}

/** Every rule with its setting in full, then what fires, then the count. Ends with a line break. */
export function renderPolicy(report: PolicyReport, style: TextStyle): Visible {
  const { rules, findings, resources, judged } = report;
  const left = resources - judged;
  const whose = left === 1 ? 'its' : 'their';
  const notJudged =
    left === 0 ? '' : ` ${left} not judged: paused, archived, recalled, or past ${whose} hour.`;
  const opening = findings.length === 0 ? 'Nothing fires' : 'Judged';
  const sections = [
    page([
      ...drawRow(['RULE', 'LEVEL', 'FIRES', 'SETTING'], style, 'strong'),
      ...rules.flatMap((rule) => drawRow(cellsOf(rule), style, 'plain')),
    ]),
    renderDiagnostics(findings, style),
    shown`${opening}: ${count(judged, 'resource')}.${notJudged}\n`,
  ];
  return joined(
    sections.filter((section) => section !== ''),
    '\n',
  );
}

type Row = readonly [rule: string, level: string, fires: string, setting: string];

function cellsOf({ rule, level, setting, fires }: RuleReport): Row {
  if (level === null || setting === null) return [rule, '', '', 'not set'];
  return [rule, level, fires === null ? 'by plan' : String(fires), setting];
}

const GAP = '  ';
const COLUMNS = [22, 5, 7] as const;
const SETTING_AT = COLUMNS.reduce((sum, columns) => sum + columns + GAP.length, 0);

/** A setting is not shortened: a list of words is there to be read. */
function drawRow([rule, level, fires, setting]: Row, style: TextStyle, tone: Tone): readonly Visible[] {
  const head = [rule, level, fires].map((cell, index) => cell.padEnd(COLUMNS[index] ?? 0));
  return drawLine([span(visible([...head, setting].join(GAP)), tone)], style, 0, SETTING_AT);
}

/** What each rule of a policy is set to, in words; null for a rule that is not set. */
export function settingsOf(policy: Policy): Readonly<Record<RuleReport['rule'], string | null>> {
  const { maxPriceGross, minPriceGross, bannedWords, quietHours, maxBroadcastsPerDay, required } = policy;
  return {
    max_changes: `${policy.maxChanges.limit}`,
    max_price_gross: maxPriceGross === null ? null : `${maxPriceGross.limit}`,
    min_price_gross: minPriceGross === null ? null : `${minPriceGross.limit}`,
    banned_words: bannedWords === null ? null : bannedWords.words.join(', '),
    quiet_hours: quietHours === null ? null : hoursText(quietHours),
    max_broadcasts_per_day:
      maxBroadcastsPerDay === null ? null : `${maxBroadcastsPerDay.limit} in ${maxBroadcastsPerDay.timezone}`,
    required: required === null ? null : required.fields.join(', '),
  };
}

function hoursText({ from, to, timezone, hoursAfter }: NonNullable<Policy['quietHours']>): string {
  return `${from} to ${to} in ${timezone}, ${hoursAfter} h after each message`;
}
