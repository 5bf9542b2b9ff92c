import type { Annotation } from '../domain/annotation.ts';
import type { Plan } from '../domain/change.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { formatAddress, type SourcePlace } from '../domain/resource.ts';
import { joined } from '../domain/visible.ts';
import { nameSpans, needsText } from './change-text.ts';
import { accountsIn, accountsOf, groupChanges, type ChangeGroup } from './groups/change-groups.ts';
import { goesLive, isIrreversible, isListed } from './summary.ts';
import { timesInProse } from './time-words.ts';
import { WORDS, type PlanTitle } from './wording.ts';
import { zoneOf, type Zones } from './zones.ts';

/** GitHub shows this many of each level for a step. */
const EACH_LEVEL_MAX = 10;

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<
  PrintedDiagnostic['severity'],
  Annotation['level']
>;

/** Findings on their lines, the worst first. */
export function findingAnnotations(diagnostics: readonly PrintedDiagnostic[]): readonly Annotation[] {
  const found = new Map<string, Annotation>();
  for (const diagnostic of diagnostics) {
    const { severity, code, message, address } = diagnostic;
    const about = address === undefined || diagnostic.file !== undefined ? '' : `${address}: `;
    const annotation = {
      level: LEVELS[severity],
      title: code,
      message: about + message,
      place: placeOf(diagnostic),
    };
    const { file, line, column } = annotation.place ?? { file: '', line: 0, column: 0 };
    found.set(`${severity} ${code} ${file}:${line}:${column} ${annotation.message}`, annotation);
  }
  return worstFirst([...found.values()]);
}

/** Where the resources of a plan are declared, and in which zone. */
export interface DeclaredPlaces {
  readonly places: ReadonlyMap<string, SourcePlace>;
  readonly zones: Zones;
}

/** The changes of a plan or drift on the lines that declare them, with its findings. */
export function planAnnotations(
  plan: Plan,
  title: PlanTitle,
  { places, zones }: DeclaredPlaces,
): readonly Annotation[] {
  const accounts = accountsIn(plan.changes);
  const changes = groupChanges(plan.changes.filter(isListed)).map((group): Annotation => {
    const zone = zoneOf(group.changes, zones);
    return {
      level: levelOf(group, title),
      title: `Herald ${title}`,
      message: timesInProse(changeWords(group, title, accounts), zone),
      place: places.get(formatAddress(group.changes[0].address)) ?? null,
    };
  });
  return worstFirst([
    ...findingAnnotations(plan.diagnostics),
    ...changes.filter(({ place }) => place !== null),
  ]);
}

/** `replace "Welcome" on 60 accounts: acc00 … acc59 (live at once): messages[0].text`. */
function changeWords(group: ChangeGroup, title: PlanTitle, accounts: readonly string[]): string {
  const { shared, varying } = group;
  const names = joined(
    nameSpans(group, accounts).map(({ text }) => text),
    '',
  );
  const own = accountsOf(group);
  const on = own.length === 1 ? ` on ${own[0] ?? ''}` : '';
  const flags = [
    isIrreversible(shared) ? 'cannot be undone' : '',
    shared.action === 'blocked' ? needsText(shared) : '',
    goesLive(shared) ?? '',
  ].filter((flag) => flag !== '');
  const paths = [...shared.fields, ...shared.dropped, ...varying].map(({ path }) => path);
  const about =
    shared.action === 'blocked' || paths.length === 0 ? shared.reasons.join(' ') : paths.join(', ');
  const marks = title === 'plan' && flags.length > 0 ? ` (${flags.join(', ')})` : '';
  return `${WORDS[title][shared.action].label} ${names}${on}${marks}${about === '' ? '' : `: ${about}`}`;
}

function levelOf({ shared }: ChangeGroup, title: PlanTitle): Annotation['level'] {
  const needsEyes =
    title === 'drift' || isIrreversible(shared) || shared.action === 'blocked' || shared.action === 'missed';
  return needsEyes ? 'warning' : 'notice';
}

function placeOf({ file, line, column }: PrintedDiagnostic): SourcePlace | null {
  return file === undefined || line === undefined ? null : { file, line, column: column ?? 1 };
}

function worstFirst(annotations: readonly Annotation[]): readonly Annotation[] {
  const levels = ['error', 'warning', 'notice'] as const;
  return levels.flatMap((level) => annotations.filter((one) => one.level === level).slice(0, EACH_LEVEL_MAX));
}
