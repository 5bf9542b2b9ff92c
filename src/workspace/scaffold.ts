import { stringify } from 'yaml';
import sampleWorkspace from './samples/herald.yaml?text';
import sampleBroadcast from './samples/news.yaml?text';
import sampleCampaign from './samples/welcome.yaml?text';

/** The folder of the schemas that the files of a workspace name, so that an editor finds them offline. */
export const SCHEMA_FOLDER = '.herald/schemas';

const GIT_IGNORE = `# The state of this machine. Never commit it: an older copy does not know what was sent since.
.herald/*
!.herald/schemas/
`;

/** The files of `herald init`: a valid workspace, with samples if it uses the embedded simulator. */
export function scaffoldWorkspace(options: {
  /** A future day, `YYYY-MM-DD`. */
  readonly broadcastDayUtc: string;
  /** Address of a real service, which must not get the samples. */
  readonly service?: string | undefined;
  /** An id by each alias, for a real service. */
  readonly accounts?: ReadonlyMap<string, string>;
}): readonly { readonly path: string; readonly text: string }[] {
  const { broadcastDayUtc, service, accounts = new Map<string, string>() } = options;
  const ignore = { path: '.gitignore', text: GIT_IGNORE };
  if (service !== undefined)
    return [{ path: 'herald.yaml', text: workspaceText(service, accountsText(accounts)) }, ignore];
  return [
    { path: 'herald.yaml', text: sampleWorkspace },
    { path: 'campaigns/welcome.yaml', text: sampleCampaign },
    { path: 'broadcasts/news.yaml', text: sampleBroadcast.replace('DAY', broadcastDayUtc) },
    ignore,
  ];
}

/** Whether the text of a file is one of the samples, unchanged but for its day. */
export function isSample(text: string): boolean {
  const sample = text.replaceAll('\r\n', '\n').replace(/\d{4}-\d\d-\d\d(?=T18:00")/, 'DAY');
  return sample === sampleCampaign || sample === sampleBroadcast;
}

function workspaceText(service: string, accounts: string): string {
  return `# yaml-language-server: $schema=${SCHEMA_FOLDER}/herald.schema.json
version: 1

service:
  # The key comes from HERALD_API_KEY, never from this file.
  base_url: ${JSON.stringify(service)}
  # auth_header: x-svc-auth-token

${accounts}
files: ["campaigns/**/*.yaml"]
`;
}

interface VisibleAccount {
  readonly id: string;
  readonly username?: string | null | undefined;
  /** Its alias in `herald.yaml`. */
  readonly alias?: string | undefined;
}

/** An id by each alias: the one that is declared, or the username, as far as an alias can have its characters. */
export function chooseAliases(accounts: readonly VisibleAccount[]): ReadonlyMap<string, string> {
  const declared = new Set(accounts.flatMap(({ alias }) => alias ?? []));
  const aliases = new Map<string, string>();
  for (const { id, username, alias } of accounts) {
    const word = (username ?? '').replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z]+/, '');
    const name = word === '' ? `account-${id}` : word;
    const isTaken = aliases.has(name) || declared.has(name);
    aliases.set(alias ?? (isTaken ? `${name}-${id}` : name), id);
  }
  return aliases;
}

/** The block `accounts:` of `herald.yaml`. */
export function accountsText(accounts: ReadonlyMap<string, string>): string {
  if (accounts.size === 0)
    return '# Add yours, as in: alice: { id: "101" }. `herald accounts list` shows them. Ids are quoted, so that no digit is lost.\naccounts: {}\n';
  // A name such as "yes" is quoted.
  const lines = [...accounts].map(
    ([alias, id]) => `  ${stringify(alias).trimEnd()}: { id: ${JSON.stringify(id)} }\n`,
  );
  return `# Files name an account by its alias, which you may change. Ids are quoted, so that no digit is lost.
accounts:
${lines.join('')}`;
}
