import { Command, CommanderError } from 'commander';
import { declareService } from './command-line/service.ts';
import type { Act, Declare } from './command-line/sub.ts';
import { declareWorkspace } from './command-line/workspace.ts';
import type { Context } from './context.ts';
import type { Host, WiringFlags } from './main.ts';
import { VERSION } from './version.ts';

type Wire = (flags: WiringFlags) => Context;

/** In the order in which help lists them. */
const COMMANDS: readonly Declare[] = [declareWorkspace, declareService];

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

  const act: Act = async (command, action, chdir) => {
    const context = wire(flagsOf(command, chdir));
    const { runCommand } = await import('./commands/run-command.ts');
    exitCode = await runCommand(context, () => action(context));
  };
  for (const declare of COMMANDS) declare(program, act);
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
