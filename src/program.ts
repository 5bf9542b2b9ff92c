import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import type { Host, WiringFlags } from './main.ts';
import { VERSION } from './version.ts';

type Wire = (flags: WiringFlags) => Context;
type Action = (context: Context) => number | Promise<number>;

const HELP_FOOTER = `
Exit codes: 0 done · 1 failed before anything was changed · 2 differences · 3 an outcome is unknown ·
            4 some changes made, some failed · 5 blocked, a person must decide · 130 interrupted

Examples:
  herald init my-agency && herald -C my-agency plan
  herald plan --out plan.json && herald apply plan.json
  herald drift --format markdown`;

/** Reads the command line and runs the command it names; each command's code is loaded only then. */
export async function runProgram(args: readonly string[], host: Host, wire: Wire): Promise<number> {
  let exitCode = 0;
  const program = new Command('herald')
    .description(
      "Campaigns as code: creator accounts' campaigns and broadcasts, declared in YAML and reconciled over an API.",
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('-C, --chdir <dir>', 'run in this directory')
    .option('--format <name>', 'how to print the result')
    .option('--api-key-file <file>', 'read the API key from this file instead of HERALD_API_KEY')
    .option('-v, --verbose', 'show requests on stderr, without secrets')
    .option('--no-color', 'no colour')
    .option('-q, --quiet', 'only results and errors')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', HELP_FOOTER)
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
    })
    .exitOverride()
    .showHelpAfterError('(see --help)');

  const act = async (command: Command, action: Action, chdir?: string) => {
    const context = wire(flagsOf(command, chdir));
    const { runCommand } = await import('./commands/run-command.ts');
    exitCode = await runCommand(context, () => action(context));
  };
  declareCommands(program, act);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (asksForJson(args)) host.stdout.write(usageDocument(error.message));
    return 1;
  }
  return exitCode;
}

/** The command line could not be read, so neither could its `--format`: it is looked for in the words. */
function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (word, index) => word === '--format=json' || (word === '--format' && args[index + 1] === 'json'),
  );
}

function usageDocument(message: string): string {
  const document = {
    schema: 'herald/error/1',
    code: 'usage',
    message,
    hint: 'See: herald --help',
    details: null,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function flagsOf(command: Command, chdir: string | undefined): WiringFlags {
  const flags = command.optsWithGlobals<Record<string, unknown>>();
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  return {
    chdir: [text('chdir'), chdir].filter((part) => part !== undefined).join('/') || undefined,
    format: text('format'),
    apiKeyFile: text('apiKeyFile'),
    verbose: flags['verbose'] === true,
    noColour: flags['color'] === false,
    quiet: flags['quiet'] === true,
  };
}

type Act = (command: Command, action: Action, chdir?: string) => Promise<void>;

function declareCommands(program: Command, act: Act): void {
  sub(program, 'init [DIR]', 'write a first workspace that runs on the embedded simulator').action(
    (directory: string | undefined, _flags: unknown, command: Command) =>
      act(command, async (context) => (await import('./commands/init.ts')).initCommand(context), directory),
  );
  sub(program, 'validate', 'check every file; needs no network and no key', [
    'herald validate --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./commands/validate.ts')).validateCommand(context)),
  );
  declarePlan(program, act);
  declareApply(program, act);
  sub(program, 'drift', 'show what is live and differs from the files; exit 2 when something does', [
    'herald drift',
    'herald drift --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./commands/plan.ts')).driftCommand(context)),
  );
  declareSimulate(program, act);
  sub(program, 'schema [NAME]', 'print a JSON Schema of the files or of an output', [
    'herald schema',
    'herald schema plan',
  ]).action((name: string | undefined, _flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./commands/schema.ts')).schemaCommand(context, name)),
  );
  declareApi(program, act);
}

function declarePlan(program: Command, act: Act): void {
  sub(program, 'plan', 'show what apply would do; sends only reads', [
    'herald plan --detailed-exitcode',
    'herald plan --out plan.json --allow resume',
  ])
    .option('--out <file>', 'save the plan, to be applied exactly')
    .option(
      '--allow <name>',
      'allow what is dangerous: adopt, resume, recall, prune or large (repeatable)',
      collect,
      [],
    )
    .option('--detailed-exitcode', 'exit 2 when there is something to do')
    .action((flags: { out?: string; allow: string[]; detailedExitcode?: boolean }, command: Command) =>
      act(command, async (context) =>
        (await import('./commands/plan.ts')).planCommand(context, {
          allow: flags.allow,
          out: flags.out,
          detailedExitcode: flags.detailedExitcode === true,
        }),
      ),
    );
}

function declareApply(program: Command, act: Act): void {
  sub(program, 'apply [PLAN]', 'carry out a saved plan, or plan and carry out now', [
    'herald apply',
    'herald apply plan.json --yes',
    'herald apply --allow adopt',
  ])
    .option('--yes', 'do not ask')
    .option(
      '--allow <name>',
      'allow what is dangerous: adopt, resume, recall, prune or large (repeatable)',
      collect,
      [],
    )
    .option('--max-plan-age <hours>', 'refuse a saved plan older than this', hours, 24)
    .action(
      (
        planFile: string | undefined,
        flags: { yes?: boolean; allow: string[]; maxPlanAge: number },
        command: Command,
      ) =>
        act(command, async (context) =>
          (await import('./commands/apply.ts')).applyCommand(context, {
            allow: flags.allow,
            planFile,
            yes: flags.yes === true,
            maxPlanAgeHours: flags.maxPlanAge,
          }),
        ),
    );
}

function declareSimulate(program: Command, act: Act): void {
  sub(program, 'simulate', 'serve the pretend service on a loopback socket', [
    'herald simulate --port 4010 --world .herald/world.json',
  ])
    .option('--port <number>', 'port to listen on; 0 takes a free one', port, 0)
    .option('--world <file>', 'keep the world in this file')
    .action((flags: { port: number; world?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./commands/simulate.ts')).simulateCommand(context, {
          port: flags.port,
          world: flags.world,
        }),
      ),
    );
}

function declareApi(program: Command, act: Act): void {
  sub(program, 'api [OPERATION]', 'make one call of any endpoint and print the answer', [
    'herald api --list',
    'herald api campaigns.list --param account_id=101 --param limit=10',
    'herald api campaigns.set-status --param account_id=101 --param campaign_id=77 --body status.json --yes',
  ])
    .option('--list', 'list the operations')
    .option('--param <name=value>', 'path or query parameter (repeatable)', collect, [])
    .option('--body <file>', 'JSON body from a file, - for standard input')
    .option('--yes', 'do not ask')
    .action(
      (
        operation: string | undefined,
        flags: { list?: boolean; param: string[]; body?: string; yes?: boolean },
        command: Command,
      ) =>
        act(command, async (context) => {
          const { apiCommand, apiListCommand } = await import('./commands/api.ts');
          if (operation === undefined || flags.list === true) return apiListCommand(context);
          return apiCommand(context, operation, {
            param: flags.param,
            body: flags.body,
            yes: flags.yes === true,
          });
        }),
    );
}

/** A subcommand with its examples; the flags that every command takes stand on the program. */
function sub(
  program: Command,
  usage: string,
  description: string,
  examples: readonly string[] = [],
): Command {
  const command = program.command(usage).description(description);
  return examples.length === 0
    ? command
    : command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

function port(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return number;
}

function hours(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('Give a number of hours above 0.');
  return number;
}
