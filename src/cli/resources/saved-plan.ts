import type { Context } from '../context.ts';
import { otherService, sealedPlanShape, sealOf, staleness, type SavedPlan } from '../../plan/saved.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { Inspection, Opened } from '../../reconcile/source.ts';

/** Writes the plan with its digest, readable by this user only, and returns the digest. */
export async function writeSavedPlan(context: Context, path: string, saved: SavedPlan): Promise<string> {
  // As a reader will see it: a number that JavaScript cannot hold exactly is another one by then.
  const digest = sealOf(JSON.parse(renderJson(saved)) as object);
  await context.typed.files.writeAtomically(path, renderJson({ ...saved, digest }), { isPrivate: true });
  return digest;
}

/** Reads a saved plan. Throws when it is none, was changed since, or has another digest than `expected`. */
export async function readSavedPlan(
  context: Context,
  path: string,
  expected: string | undefined,
): Promise<SavedPlan> {
  const hint = 'Make it with: herald plan --out plan.json';
  let text: string;
  try {
    text = await context.typed.files.readText(path);
  } catch (error) {
    throw new CommandError(
      'bad-plan-file',
      `The saved plan ${path} cannot be read: ${(error as Error).message}.`,
      hint,
    );
  }
  const document = parseDocument(text);
  if (document === undefined)
    throw new CommandError('bad-plan-file', `${path} is not a saved plan: it is not valid JSON.`, hint);
  const parsed = sealedPlanShape.safeParse(document);
  if (!parsed.success)
    throw new CommandError('bad-plan-file', `${path} is not a plan saved by this version of Herald.`, hint);
  const { digest, ...saved } = parsed.data;
  const actual = sealOf(document as object);
  if (digest !== actual)
    throw refused(
      'changed-plan',
      `${path} was changed after Herald wrote it: its content does not match its digest`,
      path,
    );
  if (expected !== undefined && !actual.startsWith(`sha256:${expected}`))
    throw refused(
      'unexpected-plan',
      `${path} is not the expected plan: it is ${actual}, and --expect says sha256:${expected}`,
      path,
    );
  return saved;
}

function refused(code: string, what: string, path: string): CommandError {
  const hint = `Make it again and review it: herald plan --out ${inShell(path)}`;
  return new CommandError(code, `${what}. Nothing was changed.`, hint, EXIT.blocked);
}

/** The JSON value, or undefined. Node's own error would quote the file, which may be a key given by mistake. */
function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A plan that a person has seen: how it is called when it is stale, and what to do then. */
export interface Shown {
  readonly what: string;
  readonly hint: string;
}

/** A plan in a file, with the command that makes it again. */
export function savedIn(file: string, { allow, target, exclude }: SavedPlan, { workspace }: Opened): Shown {
  const options = [
    ...allow.filter((name) => !workspace.allow.includes(name)).map((name) => `--allow ${name}`),
    ...target.map((pattern) => `--target ${inShell(pattern)}`),
    ...exclude.map((pattern) => `--exclude ${inShell(pattern)}`),
    `--out ${inShell(file)}`,
  ];
  return {
    what: `The plan in ${file} is stale`,
    hint: `Make it again and review it: herald plan ${options.join(' ')}`,
  };
}

/** The plan of this run, which was on the screen while the question was asked. */
export const ON_SCREEN: Shown = {
  what: 'The plan changed while it was read',
  hint: 'Run herald apply again.',
};

/** One word of a command line that can be copied. */
export function inShell(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Throws when the plan was made for another service, before anything is asked of this one. */
export function refuseOtherService(saved: SavedPlan, { workspace }: Opened, shown: Shown): void {
  const reason = otherService(saved, workspace.service.identity);
  if (reason !== null) throw stale(shown, [reason]);
}

/** Throws when what was reviewed is not what would be done now. */
export async function refuseStale(
  saved: SavedPlan,
  opened: Opened,
  fresh: Inspection,
  maxAgeHours: number,
  shown: Shown,
): Promise<void> {
  const reasons = staleness(saved, {
    plan: fresh.plan,
    observed: fresh.observed,
    accounts: fresh.accounts,
    nowMs: fresh.nowMs,
    workspaceDigest: await opened.workspace.digest(),
    maxAgeMs: maxAgeHours * 3_600_000,
  });
  if (reasons.length > 0) throw stale(shown, reasons);
}

function stale({ what, hint }: Shown, reasons: readonly string[]): CommandError {
  return new CommandError(
    'stale-plan',
    `${what}, so nothing was changed: ${reasons.join('; ')}.`,
    hint,
    EXIT.blocked,
    { reasons },
  );
}
