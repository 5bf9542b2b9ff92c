import type { Command } from 'commander';
import type { AnyCommand } from '../src/cli/define-command.ts';
import { createProgram, EXIT_CODES } from '../src/cli/program.ts';
import { JSON_SCHEMAS } from '../src/cli/schemas.ts';
import { INDEX } from '../src/commands/index.ts';
import { VERSION } from '../src/version.ts';

export type CommandPages = Awaited<ReturnType<typeof drawCommandPages>>;

type Flag = ReturnType<typeof listFlags>[number];

interface Entry {
  readonly path: string;
  readonly usage: string;
  readonly about: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  readonly more: string | null;
}

/** With the commands by heading of the help, in its order. */
type Reference = Awaited<ReturnType<typeof readReference>>;

/** docs/reference/commands.md and man/herald.1, which are made from the rows of the commands. */
export async function drawCommandPages() {
  const reference = await readReference();
  return { page: drawPage(reference), manual: drawManual(reference) };
}

async function readReference() {
  const program = await createProgram(INDEX);
  const rows = new Map<string, AnyCommand>();
  for (const { path, load } of INDEX.commands) rows.set(path, await load());
  const help = program.createHelp();
  const groups = help.groupItems([...program.commands], help.visibleCommands(program), (one) =>
    one.helpGroup(),
  );
  const headings = [...groups].map(([heading, commands]) => {
    const entries = commands.flatMap((one) => listEntries(one, '', rows));
    return [heading.replace(/:$/, ''), entries] as const;
  });
  const filled = headings.filter(([, entries]) => entries.length > 0);
  return { about: program.description(), flags: listFlags(program), headings: new Map(filled) };
}

/** A command, if it does something itself, and those below it. */
function listEntries(
  command: Command,
  above: string,
  rows: ReadonlyMap<string, AnyCommand>,
): readonly Entry[] {
  const path = `${above}${command.name()}`;
  const row = rows.get(path);
  const help = command.createHelp();
  const own: readonly Entry[] =
    row === undefined
      ? []
      : [
          {
            path,
            usage: help.commandUsage(command),
            about: row.about,
            flags: listFlags(command),
            examples: row.examples,
            more: row.more ?? null,
          },
        ];
  return [...own, ...help.visibleCommands(command).flatMap((one) => listEntries(one, `${path} `, rows))];
}

function listFlags(command: Command) {
  const help = command.createHelp();
  const flags = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return flags.map((flag) => ({ term: help.optionTerm(flag), about: help.optionDescription(flag) }));
}

function drawPage({ flags, headings }: Reference): string {
  return [
    '# Commands',
    '',
    'Every command with its flags and examples, as `herald COMMAND --help` prints them. Results go to stdout, everything else goes to',
    'stderr. [Lists and formats](lists.md) describes the lists and `herald api`, [Configuration](configuration.md#questions-at-the-terminal)',
    'what a command asks, and [When something goes wrong](../guides/when-something-goes-wrong.md) how a command ends.',
    '',
    '## Global flags',
    '',
    ...drawFence('text', drawFlags(flags)),
    ...[...headings].flatMap(([heading, entries]) => [`## ${heading}`, '', ...entries.flatMap(drawEntry)]),
    '## JSON Schemas',
    '',
    '`herald schema NAME` prints one of these. [JSON outputs](json.md) describes the documents.',
    '',
    ...drawFence('text', Object.keys(JSON_SCHEMAS)),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function drawEntry({ path, usage, about, flags, examples, more }: Entry): readonly string[] {
  const paragraph = more === null ? [] : [...drawFence('text', more.split('\n'))];
  return [
    `### herald ${path}`,
    '',
    ...drawFence('text', [usage, `  ${about}`, ...(flags.length === 0 ? [] : ['', ...drawFlags(flags)])]),
    ...drawFence('sh example', examples),
    ...paragraph,
  ];
}

/** Empty for no lines. */
function drawFence(kind: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`\`\`\`${kind}`, ...lines, '```', ''];
}

function drawFlags(flags: readonly Flag[]): readonly string[] {
  const width = Math.max(...flags.map(({ term }) => term.length));
  return flags.map(({ term, about }) => `  ${term.padEnd(width)}  ${about}`);
}

/** In the language of `man`. */
function drawManual({ about, flags, headings }: Reference): string {
  const commands = [...headings].flatMap(([heading, entries]) => [
    `.SH ${roff(heading).toUpperCase()}`,
    ...entries.flatMap((entry) => [
      `.SS ${roff(entry.usage)}`,
      roff(entry.about),
      ...drawManualFlags(entry.flags),
      ...drawManualLines(entry.examples),
      ...(entry.more === null ? [] : ['.PP', ...entry.more.split('\n').map(roff)]),
    ]),
  ]);
  return [
    `.TH HERALD 1 "" "herald ${VERSION}" "Herald"`,
    '.SH NAME',
    'herald \\- campaigns as code',
    '.SH SYNOPSIS',
    '.B herald',
    '[options] COMMAND [options] [arguments]',
    '.SH DESCRIPTION',
    roff(about),
    '.SH GLOBAL OPTIONS',
    ...drawManualFlags(flags),
    ...commands,
    '.SH EXIT STATUS',
    ...drawManualLines(EXIT_CODES.split('\n')),
    '',
  ].join('\n');
}

function drawManualFlags(flags: readonly Flag[]): readonly string[] {
  return flags.flatMap(({ term, about }) => ['.TP', `.B ${roff(term)}`, roff(about)]);
}

function drawManualLines(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map((line) => `    ${roff(line.trim())}`), '.fi'];
}

/** A line that begins with a dot or a quote would be a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
