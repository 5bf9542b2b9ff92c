import { formatAddress } from '../domain/resource.ts';
import { isDeclaredToSend } from '../domain/status.ts';
import type { Expanded } from './expand.ts';
import type { Report } from './findings.ts';
import type { WrittenResource } from './resources.ts';
import { foldName } from './text.ts';

/** Checks the rules between resources of all files. */
export function checkAcross(expanded: readonly Expanded[], report: Report): void {
  const clashes = new Clashes();
  namesDiffer(expanded, clashes);
  renamesAreClear(expanded, clashes);
  clashes.tell(report);
  hoursAreNotCrowded(expanded, report);
}

interface Clash {
  readonly here: WrittenResource;
  readonly there: WrittenResource;
  readonly accounts: string[];
}

/** The message of each clash. `on` are the accounts, `at` is the place of the other resource. */
const CLASHES = {
  'duplicate-name': {
    key: 'name',
    describe: ({ here, there }: Clash, on: string, at: string) => {
      const [name, other] = [here.written.name, there.written.name];
      const also = name === other ? `also at ${at}` : `because "${other}" at ${at} counts as the same name`;
      return `"${name}" is declared twice for ${on}, ${also}. Names must be unique per account and kind. Rename one.`;
    },
  },
  'renamed-from-declared': {
    key: 'renamed_from',
    describe: ({ here }: Clash, on: string, at: string) =>
      `"${here.written.renamed_from}" is still declared for ${on}, at ${at}. Remove that block, or this renamed_from.`,
  },
  'renamed-from-twice': {
    key: 'renamed_from',
    describe: ({ here }: Clash, on: string, at: string) =>
      `"${here.written.renamed_from}" is already renamed for ${on}, at ${at}. Remove one of the two renamed_from.`,
  },
} as const;
type ClashCode = keyof typeof CLASHES;

/** Collects the accounts of one clash, so that a pair of resources is reported once. */
class Clashes {
  readonly #byResource = new Map<WrittenResource, (Clash & { readonly code: ClashCode })[]>();

  add(code: ClashCode, { resource: here, declared }: Expanded, { resource: there }: Expanded): void {
    const clashes = this.#byResource.get(here) ?? [];
    this.#byResource.set(here, clashes);
    const { account } = declared.address;
    const known = clashes.find((clash) => clash.code === code && clash.there === there);
    if (known !== undefined) known.accounts.push(account);
    else clashes.push({ code, here, there, accounts: [account] });
  }

  tell(report: Report): void {
    for (const clash of [...this.#byResource.values()].flat()) {
      const { code, here, there, accounts } = clash;
      const { key, describe } = CLASHES[code];
      const { file, line, column } = there.source.placeOf([...there.path, 'name']);
      const message = describe(clash, accounts.join(', '), `${file}:${line}:${column}`);
      report.add({ severity: 'error', code, message, ...here.source.placeOf([...here.path, key]) });
    }
  }
}

/** Names that look alike count as equal, because people read them as one name (CONTENT-1). */
function namesDiffer(expanded: readonly Expanded[], clashes: Clashes): void {
  const seen = new Map<string, Expanded>();
  for (const one of expanded) {
    const { account, kind, name } = one.declared.address;
    const key = `${account}/${kind}/${foldName(name)}`;
    const other = seen.get(key);
    if (other === undefined) seen.set(key, one);
    else clashes.add('duplicate-name', one, other);
  }
}

/** Checks that a former name is not declared, and that only one resource is renamed from it (CONTENT-4). */
function renamesAreClear(expanded: readonly Expanded[], clashes: Clashes): void {
  const renamed = expanded.filter(({ declared }) => declared.renamedFrom !== null);
  if (renamed.length === 0) return;
  const declaredNames = new Map(expanded.map((one) => [formatAddress(one.declared.address), one]));
  const takenFrom = new Map<string, Expanded>();
  for (const one of renamed) {
    const { address, renamedFrom } = one.declared;
    const old = formatAddress({ ...address, name: renamedFrom ?? '' });
    const still = declaredNames.get(old);
    if (still !== undefined && still.resource !== one.resource)
      clashes.add('renamed-from-declared', one, still);
    const other = takenFrom.get(old);
    if (other === undefined) takenFrom.set(old, one);
    else clashes.add('renamed-from-twice', one, other);
  }
}

/** Up to three broadcasts run at once, in random order (BROADCAST-9). */
const BROADCASTS_AT_ONCE = 3;

function hoursAreNotCrowded(expanded: readonly Expanded[], report: Report): void {
  const counts = new Map<string, number>();
  for (const { declared, resource } of expanded) {
    if (declared.kind !== 'broadcast' || !isDeclaredToSend(declared)) continue;
    const { account } = declared.address;
    const hour = `${account} ${declared.scheduledAtUtc}`;
    const count = (counts.get(hour) ?? 0) + 1;
    counts.set(hour, count);
    if (declared.scheduledAtUtc === '' || count !== BROADCASTS_AT_ONCE + 1) continue;
    const message = `More than ${BROADCASTS_AT_ONCE} broadcasts of ${account} are scheduled for ${declared.scheduledAtUtc}. The service sends only ${BROADCASTS_AT_ONCE} at once, in random order. Move some to another hour.`;
    const place = resource.source.placeOf([...resource.path, 'scheduled_at']);
    report.add({ severity: 'warning', code: 'crowded-hour', message, ...place });
  }
}
