import type { Annotation } from '../domain/annotation.ts';
import type { Plan } from '../domain/change.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { formatAddress, type SourcePlace } from '../domain/resource.ts';
import { describeTarget, makeEntry, toText, type EntryView } from './entries.ts';
import { accountsIn, groupChanges, type ChangeGroup } from './groups.ts';
import { isIrreversible, isListed } from './summary.ts';
import { findZone, formatTimesIn, NO_ZONES, type Zones } from './values.ts';
import { WORDS, type PlanTitle } from './wording.ts';

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
      place: findPlace(diagnostic),
    };
    const { file, line, column } = annotation.place ?? { file: '', line: 0, column: 0 };
    found.set(`${severity} ${code} ${file}:${line}:${column} ${annotation.message}`, annotation);
  }
  return worstFirst([...found.values()]);
}

/** Where the resources of a plan are declared, and in which zone. */
export interface DeclaredPlaces {
  readonly places: ReadonlyMap<string, SourcePlace>;
  readonly zones?: Zones;
  readonly variables?: Plan['variables'];
}

/** The changes of a plan or drift on the lines that declare them, with its findings. */
export function planAnnotations(
  plan: Plan,
  title: PlanTitle,
  { places, zones = NO_ZONES, variables = plan.variables }: DeclaredPlaces,
): readonly Annotation[] {
  const view: EntryView = { title, zones, accounts: accountsIn(plan.changes) };
  const listed = plan.changes.filter(isListed);
  const changes = groupChanges(listed, { variables }).map((group): Annotation => ({
    level: findLevel(group, title),
    title: `Herald ${title}`,
    message: describeGroup(group, view),
    place: places.get(formatAddress(group.changes[0].address)) ?? null,
  }));
  return worstFirst([
    ...findingAnnotations(plan.diagnostics),
    ...changes.filter(({ place }) => place !== null),
  ]);
}

/** `replace campaign "Welcome" on 60 accounts: acc00 … acc59 (live at once): messages[0].text`. */
function describeGroup(group: ChangeGroup, view: EntryView): string {
  const { shared } = group;
  const { badges } = makeEntry(group, view);
  const paths = [...shared.fields, ...shared.dropped].map(({ path }) => path);
  const reasons = shared.reasons.map((reason) => formatTimesIn(reason, findZone(group.changes, view.zones)));
  const about = (
    shared.action === 'blocked' || paths.length === 0 ? reasons.join(' ') : paths.join(', ')
  ).trim();
  const marks = badges.length === 0 ? '' : ` (${badges.map(({ text }) => text).join(', ')})`;
  const target = toText(describeTarget(group, { accounts: view.accounts, isAlone: true }));
  return `${WORDS[view.title][shared.action].label} ${target}${marks}${about === '' ? '' : `: ${about}`}`;
}

function findLevel({ shared }: ChangeGroup, title: PlanTitle): Annotation['level'] {
  const needsEyes =
    title === 'drift' || isIrreversible(shared) || shared.action === 'blocked' || shared.action === 'missed';
  return needsEyes ? 'warning' : 'notice';
}

function findPlace({ file, line, column }: PrintedDiagnostic): SourcePlace | null {
  return file === undefined || line === undefined ? null : { file, line, column: column ?? 1 };
}

function worstFirst(annotations: readonly Annotation[]): readonly Annotation[] {
  const levels = ['error', 'warning', 'notice'] as const;
  return levels.flatMap((level) => annotations.filter((one) => one.level === level).slice(0, EACH_LEVEL_MAX));
}
