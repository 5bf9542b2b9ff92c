import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import type { PolicyLevel } from '../domain/policy.ts';
import { joined, page, shown, type Visible, visible } from '../domain/visible.ts';
import { renderDiagnostics } from './diagnostics.ts';
import { drawLine, span, type TextStyle, type Tone } from './spans.ts';
import { count } from './wording.ts';

/** One rule of `policy:` with its setting. `fires` is null if only a plan can check it. */
interface RuleReport {
  /** Its key below `policy:`. */
  readonly rule: string;
  /** Null if the rule is not set. */
  readonly level: PolicyLevel | null;
  readonly setting: string | null;
  readonly fires: number | null;
}

export interface PolicyReport {
  readonly rules: readonly RuleReport[];
  readonly findings: readonly PrintedDiagnostic[];
  readonly resources: number;
  /** Number of resources that are to be sent. The others are not checked. */
  readonly judged: number;
}

/** All rules with their whole settings, then the findings, then the count. Ends with a line break. */
export function renderPolicy(report: PolicyReport, style: TextStyle): Visible {
  const { rules, findings, resources, judged } = report;
  const left = resources - judged;
  const their = left === 1 ? 'its' : 'their';
  const notJudged =
    left === 0 ? '' : ` ${left} not checked: paused, archived, recalled, or past ${their} time.`;
  const opening = findings.length === 0 ? 'No rule is broken' : 'Checked';
  const ruleWidth = Math.max(...rules.map(({ rule }) => rule.length));
  const sections = [
    page([
      ...drawRow(['RULE', 'LEVEL', 'FIRES', 'SETTING'], ruleWidth, style, 'strong'),
      ...rules.flatMap((rule) => drawRow(listCells(rule), ruleWidth, style, 'plain')),
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

function listCells({ rule, level, setting, fires }: RuleReport): Row {
  if (level === null || setting === null) return [rule, '', '', 'not set'];
  return [rule, level, fires === null ? 'by plan' : String(fires), setting];
}

const GAP = '  ';
const LEVEL_WIDTH = 5;
const FIRES_WIDTH = 7;

/** Settings are not cut, because a list of words must be readable. */
function drawRow(
  [rule, level, fires, setting]: Row,
  ruleWidth: number,
  style: TextStyle,
  tone: Tone,
): readonly Visible[] {
  const head = [rule.padEnd(ruleWidth), level.padEnd(LEVEL_WIDTH), fires.padEnd(FIRES_WIDTH), ''].join(GAP);
  return drawLine([span(visible(`${head}${setting}`), tone)], style, 0, head.length);
}
