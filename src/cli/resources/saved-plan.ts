import type { ErrorCode } from '../../domain/error-codes.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import type { Context } from '../context.ts';
import { sealedPlanShape, sealOf, type SavedPlan } from '../../plan/saved.ts';
import type { PlanKey } from '../../plan/plan-key.ts';
import type { Opened } from '../../reconcile/source.ts';
import type { NamedPlan } from '../../reconcile/stale.ts';
import { inShell } from '../../render/in-shell.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { planKeyOf } from './plan-key.ts';
import { parseStrictJson } from './strict-json.ts';

/** Writes the plan with its digest, readable by this user only, and returns the digest. `key` signs it. */
export async function writeSavedPlan(
  context: Context,
  path: string,
  saved: SavedPlan,
  key: PlanKey | null = null,
): Promise<string> {
  // Use the parsed JSON, because JavaScript cannot hold all numbers exactly.
  const digest = sealOf(JSON.parse(renderJson(saved)) as object);
  const sealed = { ...saved, digest, ...(key === null ? {} : { signature: key.sign(digest) }) };
  await context.typed.files.writeAtomically(path, renderJson(sealed), { isPrivate: true });
  return digest;
}

/** Reads a saved plan to apply it: as `readSavedPlan`, and it has to be signed if there is a key. */
export async function readPlanToApply(
  context: Context,
  path: string,
  expected: string | undefined,
): Promise<SavedPlan> {
  const key = planKeyOf(context);
  const { saved, digest, signature } = await readSealed(context, path, expected);
  if (key === null) return saved;
  if (signature === undefined)
    throw refused('unsigned-plan', `${path} is not signed, and HERALD_PLAN_KEY is set`, path, ' --sign');
  if (!key.hasSigned(digest, signature))
    throw refused('unsigned-plan', `${path} was signed with another key, or changed since`, path, ' --sign');
  return saved;
}

/** Reads a saved plan. Throws if it is not one, was changed since, or has another digest than `expected`. */
export async function readSavedPlan(
  context: Context,
  path: string,
  expected: string | undefined,
): Promise<SavedPlan> {
  return (await readSealed(context, path, expected)).saved;
}

interface Sealed {
  readonly saved: SavedPlan;
  readonly digest: string;
  readonly signature: string | undefined;
}

async function readSealed(context: Context, path: string, expected: string | undefined): Promise<Sealed> {
  const hint = 'To make one: herald plan --out plan.json';
  let text: string;
  try {
    text = await context.typed.files.readText(path);
  } catch (error) {
    throw new CommandError(
      'bad-plan-file',
      `Cannot read the saved plan ${path}: ${fileProblem(error)}.`,
      hint,
    );
  }
  const read = parseStrictJson(text);
  if ('problem' in read)
    throw new CommandError('bad-plan-file', `${path} is not a saved plan: ${read.problem}.`, hint);
  const { document } = read;
  const parsed = sealedPlanShape.safeParse(document);
  if (!parsed.success)
    throw new CommandError('bad-plan-file', `${path} is not a plan saved by this version of Herald.`, hint);
  const { digest, signature, ...saved } = parsed.data;
  const actual = sealOf(document as object);
  if (digest !== actual)
    throw refused(
      'changed-plan',
      `${path} was changed after Herald wrote it. Its content does not match its digest`,
      path,
    );
  if (expected !== undefined && !actual.startsWith(`sha256:${expected}`))
    throw refused(
      'unexpected-plan',
      `${path} is not the expected plan. Its digest is ${actual}, not sha256:${expected}`,
      path,
    );
  return { saved, digest, signature };
}

function refused(code: ErrorCode, what: string, path: string, flags = ''): CommandError {
  const hint = `Make a new plan and review it: herald plan --out ${inShell(path)}${flags}`;
  return new CommandError(code, `${what}. Nothing was changed.`, hint, EXIT.blocked);
}

/** Describes a saved plan, with the command that makes it again. */
export function savedIn(
  file: string,
  { allow, target, exclude }: SavedPlan,
  { workspace }: Opened,
): NamedPlan {
  const options = [
    ...allow.filter((name) => !workspace.allow.includes(name)).map((name) => `--allow ${name}`),
    ...target.map((pattern) => `--target ${inShell(pattern)}`),
    ...exclude.map((pattern) => `--exclude ${inShell(pattern)}`),
    `--out ${inShell(file)}`,
  ];
  return {
    what: `The plan in ${file} is stale`,
    hint: `Make a new plan and review it: herald plan ${options.join(' ')}`,
  };
}
