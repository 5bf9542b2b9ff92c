import { objectKey, wasReplaced, type Knowledge } from '../../domain/knowledge.ts';
import type { Declared, Kind, Observed } from '../../domain/resource.ts';
import { isArchived, statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import { instant, isInstant } from '../instant.ts';
import { leaveWhatDiffersAgain } from '../left-as-it-is.ts';
import { indexByName, knownOf } from '../match.ts';
import type { Member } from '../member.ts';
import { memberOf } from '../scope.ts';

/** The resources of the files. Null if the files have errors. */
export type InFiles = readonly Declared[] | null;

interface VersionsInput {
  readonly account: string;
  readonly kind: Kind;
  /** The complete list of the account and kind. */
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  readonly inFiles: InFiles;
}

/** The live objects of one name, next to what a file declares under it. */
export interface Versions {
  /** In the order of the list. */
  readonly all: readonly Observed[];
  /** How each of them compares with the file. Empty if no file declares them. */
  readonly members: readonly Member[];
  /** Equal to the file. Of several, one that runs or is not archived, and then the newest. Null without one. */
  readonly current: Observed | null;
  /** Why none is current. Empty if one is. */
  readonly why: string;
  /** `77 (paused, replaced on 2026-06-01T12:00:00Z by 78), 78 (paused, current)` */
  readonly words: string;
}

/** The versions of a name, or of the name of an object. */
export function versionsOf(meant: string | Observed, input: VersionsInput): Versions {
  const { account, kind, observed, knowledge, inFiles } = input;
  const here = (inFiles ?? []).filter(({ address }) => address.account === account && address.kind === kind);
  const index = indexByName(observed, knowledge, here);
  const declared = here.find((resource) =>
    typeof meant === 'string' ? resource.address.name === meant : index.groupOf(resource).includes(meant),
  );
  const namesOf = (object: Observed) =>
    [object.live.name, knownOf(object, knowledge)?.name].filter((name) => name != null && name !== '');
  const names = typeof meant === 'string' ? [meant] : namesOf(meant);
  const all =
    declared === undefined
      ? observed.filter((object) => namesOf(object).some((name) => names.includes(name)))
      : index.groupOf(declared);
  const members =
    declared === undefined
      ? []
      : leaveWhatDiffersAgain(
          declared,
          all.map((object) => memberOf(declared, object, knowledge)),
          new Set(),
        );
  const equal = members.flatMap(({ comparison, observed: object }) =>
    comparison.verdict === 'equal' ? [object] : [],
  );
  const current =
    equal.findLast(({ live }) => STATUS_TRAITS[statusOf(live)].runs) ??
    equal.findLast(({ live }) => !isArchived(live)) ??
    equal.at(-1) ??
    null;
  const undeclared = inFiles === null ? FILES_HAVE_ERRORS : 'No file declares it.';
  const why = declared === undefined ? undeclared : 'No version equals its file.';
  const words = all.map((object) => versionWords(object, knowledge, equal.includes(object))).join(', ');
  return { all, members, current, why: current === null ? why : '', words };
}

const FILES_HAVE_ERRORS = 'The files have errors, so Herald cannot tell which version they declare.';

function versionWords(object: Observed, knowledge: Knowledge, isCurrent: boolean): string {
  const { accountId, kind, live } = object;
  const createdMs = Date.parse(live.created_at ?? '');
  const known = knownOf(object, knowledge);
  const next = known?.supersededBy ?? null;
  const nextMs = knowledge.objects.get(objectKey(accountId, kind, next ?? ''))?.createLeftMs ?? null;
  const replacedMs = nextMs ?? known?.pausedAtMs ?? null;
  const parts = [
    live.status ?? 'no status',
    ...(isInstant(createdMs) ? [`created on ${instant(createdMs)}`] : []),
    ...(known !== null && wasReplaced(known)
      ? [
          `replaced${isInstant(replacedMs) ? ` on ${instant(replacedMs)}` : ''}${next === null ? '' : ` by ${next}`}`,
        ]
      : []),
    ...(isCurrent ? ['current'] : []),
  ];
  return `${live.id} (${parts.join(', ')})`;
}

/** What a start of it has to tell: the other versions, and `other` if fans get something else than the file says. */
export function startWords(
  target: Observed,
  { all, members, why, words }: Versions,
): { readonly reasons: readonly string[]; readonly other: string } {
  const shown = all.length > 1 ? [`Versions of this name: ${words}.`] : [];
  const comparison = members.find(({ observed }) => observed === target)?.comparison;
  if (comparison?.verdict === 'equal') return { reasons: shown, other: '' };
  if (comparison === undefined)
    return { reasons: why === FILES_HAVE_ERRORS ? [why, ...shown] : shown, other: '' };
  const [first] = target.live.messages ?? [];
  const text = typeof first?.text === 'string' ? ` Fans get ${JSON.stringify(first.text)}.` : '';
  const other =
    comparison.verdict === 'different'
      ? `It differs from its file (${comparison.fields.map(({ path }) => path).join(', ')}).${text}`
      : `It cannot be compared with its file: ${comparison.why}.${text}`;
  return { reasons: [other, ...shown], other };
}
