import { InvalidArgumentError, Option, type Command } from 'commander';
import { ALLOWANCE_NAMES } from '../../domain/allowance.ts';
import { PLAN_FORMATS } from '../formats.ts';
import { type Act, collect, lockTimeout, sub } from '../sub.ts';

/** For each command that plans. */
export const ALLOW_HELP = `allow dangerous changes: ${ALLOWANCE_NAMES.slice(0, -1).join(', ')} or ${ALLOWANCE_NAMES.at(-1)} (repeatable)`;

/** Declares the commands for files: init, validate, plan, apply and drift. */
export function declareWorkspace(program: Command, act: Act): void {
  sub(program, 'init [DIR]', 'write an example workspace that uses the embedded simulator', [
    'herald init my-agency',
    'herald init my-agency --service https://api.example.com',
  ])
    .option('--service <url>', 'write one for the service at this address, without samples')
    .action((directory: string | undefined, flags: { service?: string }, command: Command) =>
      act(
        command,
        async (context) => (await import('./init.ts')).initCommand(context, { service: flags.service }),
        directory,
      ),
    );
  declarePlan(program, act);
  declareApply(program, act);
  declareDrift(program, act);
}

function declareDrift(program: Command, act: Act): void {
  const drift = sub(
    program,
    'drift',
    'show differences between live and the files; exit 2 if there are any',
    ['herald drift', 'herald drift --format json', "herald drift --target 'alice/campaign/Welcome*'"],
    { formats: PLAN_FORMATS },
  );
  withPage(withExpand(withTargets(drift))).action((flags: Targets & Expand & Page, command: Command) =>
    act(command, async (context) =>
      (await import('./plan.ts')).driftCommand(context, {
        ...flags,
        expand: flags.expand === true,
        html: flags.html,
      }),
    ),
  );
}

interface Targets {
  readonly target: string[];
  readonly exclude: string[];
}

function withTargets(command: Command): Command {
  return command
    .option(
      '--target <pattern>',
      'only resources that match account/kind/name; * and ? are wildcards (repeatable)',
      collect,
      [],
    )
    .option(
      '--exclude <pattern>',
      'leave out resources that match account/kind/name (repeatable)',
      collect,
      [],
    );
}

interface Expand {
  readonly expand?: boolean;
}

function withExpand(command: Command): Command {
  return command.option('--expand', 'show each change on its own, also those that do the same');
}

interface Page {
  readonly html?: string;
}

function withPage(command: Command): Command {
  return command.option('--html <file>', 'draw it as a page in this file, too');
}

function declarePlan(program: Command, act: Act): void {
  const plan = sub(
    program,
    'plan',
    'show what apply would do; sends only reads',
    [
      'herald plan --detailed-exitcode',
      'herald plan --out plan.json --html plan.html --allow resume',
      "herald plan --target 'alice/campaign/Welcome*'",
      'herald plan --scope changed --base main',
    ],
    { formats: PLAN_FORMATS },
  );
  withPage(withExpand(withTargets(plan)))
    .addOption(
      new Option('--scope <which>', 'plan all resources, or only those that differ from --base')
        .choices(['all', 'changed'])
        .default('all'),
    )
    .option('--base <commit>', 'commit or branch that --scope changed compares the files with')
    .option('--out <file>', 'save the plan, to apply exactly this one later')
    .option('--sign', 'sign the saved plan with the key in HERALD_PLAN_KEY')
    .option('--allow <name>', ALLOW_HELP, collect, [])
    .option('--detailed-exitcode', 'exit 2 if there are changes')
    .action(
      (
        flags: Targets &
          Expand &
          Page & {
            out?: string;
            sign?: boolean;
            allow: string[];
            detailedExitcode?: boolean;
            scope: 'all' | 'changed';
            base?: string;
          },
        command: Command,
      ) =>
        act(command, async (context) =>
          (await import('./plan.ts')).planCommand(context, {
            allow: flags.allow,
            target: flags.target,
            exclude: flags.exclude,
            expand: flags.expand === true,
            out: flags.out,
            sign: flags.sign === true,
            html: flags.html,
            detailedExitcode: flags.detailedExitcode === true,
            scope: flags.scope,
            base: flags.base,
          }),
        ),
    );
  declarePlanShow(plan, act);
}

function declarePlanShow(plan: Command, act: Act): void {
  withPage(
    withExpand(
      sub(
        plan,
        'show <FILE>',
        'show the plan of a page, of a saved plan or of a JSON output',
        ['herald plan show plan.html', 'herald plan show plan.json --html plan.html'],
        { formats: PLAN_FORMATS },
      ),
    ),
  ).action((file: string, _flags: unknown, command: Command) => {
    // `plan` has these options, too, and takes them wherever they are.
    const { html, expand = false } = command.optsWithGlobals<Expand & Page>();
    return act(command, async (context) =>
      (await import('../page/show.ts')).showCommand(context, { file, html, expand }),
    );
  });
}

function declareApply(program: Command, act: Act): void {
  const apply = sub(program, 'apply [PLAN]', 'apply a saved plan, or plan and apply now', [
    'herald apply',
    'herald apply plan.json --yes',
    'herald apply plan.json --expect sha256:3f1c5a0e9b27',
    'herald apply --allow adopt',
    'herald apply --reviewed plan.json --yes',
    "herald apply --target 'alice/*' --exclude 'alice/broadcast'",
  ]);
  withExpand(withTargets(apply))
    .option('--yes', 'do not ask')
    .option('--allow <name>', ALLOW_HELP, collect, [])
    .option('--reviewed <plan>', 'plan now, and apply only the changes that this saved plan has')
    .option('--expect <digest>', 'refuse a saved plan with another digest', digest)
    .option(
      '--max-plan-age <hours>',
      'refuse a saved plan older than this (default: 24; none with --reviewed)',
      hours,
    )
    .addOption(lockTimeout())
    .action(
      (
        planFile: string | undefined,
        flags: Targets &
          Expand & {
            yes?: boolean;
            allow: string[];
            reviewed?: string;
            expect?: string;
            maxPlanAge?: number;
          },
        command: Command,
      ) =>
        act(command, async (context) =>
          (await import('./apply.ts')).applyCommand(context, {
            allow: flags.allow,
            target: flags.target,
            exclude: flags.exclude,
            expand: flags.expand === true,
            planFile,
            reviewed: flags.reviewed,
            expect: flags.expect,
            yes: flags.yes === true,
            maxPlanAgeHours: flags.maxPlanAge,
          }),
        ),
    );
}

/** Reads the hex characters of a digest, or the first ones. */
function digest(text: string): string {
  const hex = /^(?:sha256:)?([0-9a-f]{12,64})$/i.exec(text)?.[1];
  if (hex === undefined)
    throw new InvalidArgumentError(
      'Give the digest that herald plan --out printed, or at least its first 12 hex characters.',
    );
  return hex.toLowerCase();
}

function hours(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('Give a number of hours above 0.');
  return number;
}
