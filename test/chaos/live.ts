import type { Kind } from '../../src/domain/resource.ts';
import type { Oracle } from '../../src/simulator/oracle.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { vaultTruth } from '../../src/simulator/vault/truth.ts';
import type { Content } from './declare.ts';

/** One live object, as far as the oracle asks about it. */
export interface Live {
  readonly accountId: string;
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly content: Content;
  readonly createdMs: number;
}

/** Under this name people built one of each kind on each account: nothing of it is Herald's to touch. */
export const THEIRS = 'Theirs';
/** Names that no file ever has. */
const NEVER_DECLARED = /^(Crowd|Other|Theirs)/;

/** Everything that Herald declared at some time and that is live, oldest first. */
export function liveOf({ world, control }: Simulator): readonly Live[] {
  control.now();
  const vaults = vaultTruth(world);
  return Object.entries(world.accounts).flatMap(([accountId, account]) => {
    const exported = vaults[accountId]?.exported ?? [];
    const shaOf = new Map(exported.map(({ media_id: id, sha256 }) => [id, sha256]));
    return (['campaign', 'broadcast'] as const).flatMap((kind) =>
      Object.values(kind === 'campaign' ? account.campaigns : account.broadcasts)
        .filter(({ live }) => !NEVER_DECLARED.test(live.name ?? ''))
        .map(({ live }): Live => {
          const [message] = live.messages;
          const [shown] = message?.attachments ?? [];
          return {
            accountId,
            kind,
            id: live.id,
            name: live.name ?? '',
            status: live.status,
            content: {
              text: message?.text ?? '',
              sha256: shown === undefined ? null : (shaOf.get(shown.id) ?? `unknown media ${shown.id}`),
            },
            createdMs: Date.parse(live.created_at),
          };
        })
        .sort((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1)),
    );
  });
}

export function keyOf({ accountId, kind, id }: Pick<Live, 'accountId' | 'kind' | 'id'>): string {
  return `${accountId}/${kind}/${id}`;
}

/** A commit later than this after its request was sent may come after a second create: the document allows no better. */
const WINDOW_MS = 75_000;
/** Reads of a list may lag behind by as much as the scenarios draw. */
export const LAG_MS = 4_000;

/** Whether it came to be later after its request than the document lets anybody reckon with. */
export function isTooLate(
  { commits, requests }: Pick<Oracle, 'commits' | 'requests'>,
  { kind, id }: Pick<Live, 'kind' | 'id'>,
): boolean {
  const made = commits.find(
    (commit) => commit.change === 'create' && commit.kind === kind && commit.id === id,
  );
  const asked = requests.find(({ request }) => request === made?.cause.request);
  if (made === undefined || asked === undefined) return false;
  return Date.parse(made.at) - Date.parse(asked.at) > WINDOW_MS - LAG_MS;
}
