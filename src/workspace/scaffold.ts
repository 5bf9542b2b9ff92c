import { stringify } from 'yaml';

export interface ScaffoldFile {
  readonly path: string;
  readonly text: string;
}

/** The files of `herald init`: a valid workspace, with samples if it uses the embedded simulator. */
export function scaffoldWorkspace(options: {
  /** A future day, `YYYY-MM-DD`. */
  readonly broadcastDayUtc: string;
  /** Address of a real service, which must not get the samples. */
  readonly service?: string | undefined;
  /** An id by each alias, for a real service. */
  readonly accounts?: ReadonlyMap<string, string>;
}): ScaffoldFile[] {
  const { broadcastDayUtc, service, accounts = new Map<string, string>() } = options;
  const samples = [
    { path: 'campaigns/welcome.yaml', text: campaignText() },
    { path: 'broadcasts/news.yaml', text: broadcastText(broadcastDayUtc) },
  ];
  return [
    { path: 'herald.yaml', text: workspaceText(service, accounts) },
    ...(service === undefined ? samples : []),
    { path: '.gitignore', text: ignoreText() },
  ];
}

/** Whether the text of a file is one of the samples, unchanged but for its day. */
export function isSample(text: string): boolean {
  const [day = ''] = /\d{4}-\d\d-\d\d(?=T18:00")/.exec(text) ?? [];
  const unix = text.replaceAll('\r\n', '\n');
  return unix === campaignText() || unix === broadcastText(day);
}

/** The folder of the schemas that the files of a workspace name, so that an editor finds them offline. */
export const SCHEMA_FOLDER = '.herald/schemas';

const SIMULATOR = `  # The embedded service: try everything here, nothing leaves this machine.
  simulator: .herald/world.json
  # The real one, instead of the line above. The key comes from HERALD_API_KEY, never from this file.
  # base_url: \${HERALD_URL}`;

const SAMPLE_ACCOUNTS = `accounts:
  # Ids are quoted, so that no digit is lost. \`herald accounts list\` shows yours.
  alice: { id: "101", vars: { first_name: Alice } }

groups:
  all: [alice]
`;

function workspaceText(url: string | undefined, accounts: ReadonlyMap<string, string>): string {
  const service =
    url === undefined
      ? SIMULATOR
      : `  # The key comes from HERALD_API_KEY, never from this file.\n  base_url: ${JSON.stringify(url)}`;
  return `# yaml-language-server: $schema=${SCHEMA_FOLDER}/herald.schema.json
version: 1

service:
${service}
  # auth_header: x-svc-auth-token

${url === undefined ? SAMPLE_ACCOUNTS : accountsText(accounts)}
files: ["campaigns/**/*.yaml", "broadcasts/**/*.yaml"]
`;
}

function accountsText(accounts: ReadonlyMap<string, string>): string {
  if (accounts.size === 0)
    return `# Add yours, as in: alice: { id: "101" }. \`herald accounts list\` shows them. Ids are quoted, so that no digit is lost.
accounts: {}
`;
  // A name such as "yes" is quoted.
  const lines = [...accounts].map(([alias, id]) => `  ${stringify(alias).trimEnd()}: { id: "${id}" }\n`);
  return `# Files name an account by its alias, which you may change. Ids are quoted, so that no digit is lost.
accounts:
${lines.join('')}`;
}

function campaignText(): string {
  return `# yaml-language-server: $schema=../${SCHEMA_FOLDER}/resources.schema.json
accounts: [all]

campaigns:
  - name: Welcome
    trigger: welcome_message
    action: send_message
    rules:
      send_delay_interval: { min_sec: 30, range_sec: 60 }
    # No filters: this goes to every fan.
    audience: everyone
    messages:
      - text: "Hey, it is {{first_name}}! So good to have you here."
      - text: "How was your first day? Tell me what you would like to see."
        delay_sec: 86400
`;
}

function broadcastText(dayUtc: string): string {
  return `# yaml-language-server: $schema=../${SCHEMA_FOLDER}/resources.schema.json
accounts: [all]

broadcasts:
  - name: First news
    # Local time in the zone below. Must be a full hour in UTC.
    scheduled_at: "${dayUtc}T18:00"
    scheduled_at_timezone: Europe/Berlin
    audience_filters:
      - kind: subscribed_date
        mode: include
        options: { from_days: 30, to_days: 0 }
    messages:
      - text: "Something new is coming this week. You will hear it first."
`;
}

function ignoreText(): string {
  return `# The state of this machine. Never commit it: an older copy does not know what was sent since.
.herald/*
!.herald/schemas/
`;
}
