import type { Command } from 'commander';
import { type Act, collect, lockTimeout, sub, wholeNumber } from '../sub.ts';

/** Declares simulate, schema, api and trust. */
export function declareService(program: Command, act: Act): void {
  declareSimulate(program, act);
  sub(program, 'schema [NAME]', 'print a JSON Schema of a file or an output', [
    'herald schema',
    'herald schema plan',
    'herald schema --write',
  ])
    .option('--write', 'write the schemas for editors to .herald/schemas, as herald init does')
    .action((name: string | undefined, flags: { write?: boolean }, command: Command) =>
      act(command, async (context) => {
        const { schemaCommand, writeSchemasCommand } = await import('./schema.ts');
        return flags.write === true ? writeSchemasCommand(context) : schemaCommand(context, name);
      }),
    );
  declareApi(program, act);
  sub(
    program,
    'trust [ORIGIN]',
    'trust a service, so that Herald sends it your API key',
    ['herald trust https://api.example', 'herald trust --list', 'herald trust --remove https://api.example'],
    { formats: null },
  )
    .option('--list', 'list the trusted origins')
    .option('--remove', 'stop trusting the service')
    .action((origin: string | undefined, flags: { list?: boolean; remove?: boolean }, command: Command) =>
      act(command, async (context) =>
        (await import('./trust.ts')).trustCommand(context, origin, {
          list: flags.list === true,
          remove: flags.remove === true,
        }),
      ),
    );
}

function declareSimulate(program: Command, act: Act): void {
  sub(program, 'simulate', 'start a local simulator of the service', [
    'herald simulate --port 4010 --world .herald/world.json',
  ])
    .option('--port <number>', 'port to listen on; 0 means any free one', wholeNumber(0, 65_535), 0)
    .option('--world <file>', 'save the world in this file')
    .action((flags: { port: number; world?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./simulate.ts')).simulateCommand(context, {
          port: flags.port,
          world: flags.world,
        }),
      ),
    );
}

interface ApiOptions {
  readonly list?: boolean;
  readonly param: readonly string[];
  readonly body?: string;
  readonly account?: string;
  readonly localCheck: boolean;
  readonly yes?: boolean;
}

function declareApi(program: Command, act: Act): void {
  sub(
    program,
    'api [OPERATION] [PATH]',
    'make any call and print the answer as it came',
    [
      'herald api --list',
      'herald api campaigns.list --account alice --param limit=10',
      'herald api GET /api/v0/accounts/101/fans --param limit=10',
      'herald api POST /api/v0/accounts/101/new-things --body thing.json --yes',
    ],
    { formats: ['json', 'table', 'ndjson', 'csv'] },
  )
    .option('--list', 'list the operations')
    .option('--param <name=value>', 'path or query parameter (repeatable)', collect, [])
    .option('--body <file>', 'read a JSON body from a file, - for standard input')
    .option('--account <name>', 'alias or id of the account, for the ids in the path')
    .option('--no-local-check', 'also send parameters and members that Herald does not know')
    .option('--yes', 'do not ask')
    .addOption(lockTimeout())
    .action((operation: string | undefined, path: string | undefined, flags: ApiOptions, command: Command) =>
      act(command, async (context) => {
        const { apiCommand, apiListCommand } = await import('./api.ts');
        if (operation === undefined || flags.list === true) return apiListCommand(context);
        return apiCommand(context, operation, {
          param: flags.param,
          body: flags.body,
          yes: flags.yes === true,
          path,
          account: flags.account,
          localCheck: flags.localCheck,
        });
      }),
    );
}
