import { formatCommand } from '../domain/command-line.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Opened } from '../library/open.ts';
import type { NamedPlan } from '../library/stale.ts';
import { computeSeal, parseSaved, type SavedPlan, type SealedText } from '../plan/saved.ts';
import { renderJson } from '../render/json.ts';
import type { Context } from './context.ts';
import { repeatFlags } from './plan-flags.ts';
import { readPlanKey, PLAN_KEY_VARIABLE, type PlanKey } from './plan-key.ts';
import { writeReport } from './write-report.ts';

/** Writes the plan with its digest, readable by this user only, and returns the digest. `key` signs it. */
export async function writeSavedPlan(
  context: Context,
  path: string,
  saved: SavedPlan,
  key: PlanKey | null,
): Promise<string> {
  // The digest is that of the file: parsed, because JavaScript cannot hold all numbers exactly, and without secrets.
  const digest = computeSeal(JSON.parse(context.output.masked(renderJson(saved))) as object);
  const sealed = { ...saved, digest, ...(key === null ? {} : { signature: key.sign(digest) }) };
  await writeReport(context, path, renderJson(sealed));
  return digest;
}

/** Reads the saved plan in a file, to apply it. */
export async function readPlanToApply(
  context: Context,
  path: string,
  expected: string | undefined,
): Promise<SavedPlan> {
  const text = await context.typed.files.readText(path).catch((error: unknown) => {
    const problem = `Cannot read the saved plan ${path}: ${fileProblem(error)}.`;
    throw new HeraldError('bad-plan-file', problem, makeOne());
  });
  return readTrustedPlan(context, { path, text }, expected);
}

interface PlanText {
  /** Its name in messages. */
  readonly path: string;
  readonly text: string;
}

/** A saved plan that may be applied. If there is a key, it must have signed it. */
export function readTrustedPlan(context: Context, from: PlanText, expected?: string): SavedPlan {
  const { saved, digest, signature } = readSealedPlan(from, expected);
  const key = readPlanKey(context);
  if (key === null || (signature !== undefined && key.hasSigned(digest, signature))) return saved;
  const why =
    signature === undefined
      ? `is not signed, and ${PLAN_KEY_VARIABLE} is set`
      : 'was signed with another key, or changed since';
  throw refusedPlan('unsigned-plan', `${from.path} ${why}`, [from.path, '--sign']);
}

/** Throws if the text is not a saved plan, was changed since, or has another digest than `expected`. */
export function readSealedPlan(
  { path, text }: PlanText,
  expected?: string,
): Extract<SealedText, { readonly kind: 'sealed' }> {
  const read = parseSaved(text);
  if (read.kind === 'bad') throw new HeraldError('bad-plan-file', `${path} ${read.problem}.`, makeOne());
  if (read.kind === 'changed') {
    const why = `${path} was changed after Herald wrote it. Its content does not match its digest`;
    throw refusedPlan('changed-plan', why, [path]);
  }
  if (expected === undefined || read.digest.startsWith(`sha256:${expected}`)) return read;
  const why = `${path} is not the expected plan. Its digest is ${read.digest}, not sha256:${expected}`;
  throw refusedPlan('unexpected-plan', why, [path]);
}

function makeOne(): string {
  return `To make one: ${formatCommand('plan', '--out', 'plan.json')}`;
}

function refusedPlan(code: ErrorCode, why: string, out: readonly string[]): HeraldError {
  const hint = `Make a new plan and review it: ${formatCommand('plan', '--out', ...out)}`;
  return new HeraldError(code, `${why}. Nothing was changed.`, hint, { exit: EXIT.blocked });
}

/** Names a saved plan in messages, with the command that makes it again. */
export function nameSavedPlan(
  file: string,
  { allow, target, exclude }: SavedPlan,
  { workspace }: Opened,
): NamedPlan {
  const flags = repeatFlags({
    allow: allow.filter((name) => !workspace.allow.includes(name)),
    target,
    exclude,
    out: [file],
  });
  return {
    what: `The plan in ${file} is stale`,
    hint: `Make a new plan and review it: ${formatCommand('plan', ...flags)}`,
  };
}
