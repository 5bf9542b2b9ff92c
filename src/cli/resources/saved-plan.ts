import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import type { Context } from '../context.ts';
import type { Opened } from '../../library/open.ts';
import type { NamedPlan } from '../../library/stale.ts';
import { computeSeal, parseSaved, type SavedPlan, type SealedText } from '../../plan/saved.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { renderJson } from '../../render/json.ts';
import { writeReport } from '../write-report.ts';
import { planKeyOf, type PlanKey } from './plan-key.ts';

/** Writes the plan with its digest, readable by this user only, and returns the digest. `key` signs it. */
export async function writeSavedPlan(
  context: Context,
  path: string,
  saved: SavedPlan,
  key: PlanKey | null = null,
): Promise<string> {
  // The digest is that of the file: parsed, because JavaScript cannot hold all numbers exactly, and without secrets.
  const digest = computeSeal(JSON.parse(context.output.masked(renderJson(saved))) as object);
  const sealed = { ...saved, digest, ...(key === null ? {} : { signature: key.sign(digest) }) };
  await writeReport(context, path, renderJson(sealed));
  return digest;
}

/** Reads a saved plan to apply it: as `readSavedPlan`, and it has to be signed if there is a key. */
export async function readPlanToApply(
  context: Context,
  path: string,
  expected: string | undefined,
): Promise<SavedPlan> {
  return trusted(context, path, await sealedFile(context, path, expected));
}

/** The same for a saved plan that is in no file here. `path` is its name in messages. */
export function planInText(context: Context, path: string, text: string): SavedPlan {
  return trusted(context, path, sealedIn(text, path, undefined));
}

/** Throws if there is a key, and it has not signed the plan. */
function trusted(context: Context, path: string, { saved, digest, signature }: Sealed): SavedPlan {
  const key = planKeyOf(context);
  if (key === null) return saved;
  if (signature === undefined)
    throw refused('unsigned-plan', `${path} is not signed, and HERALD_PLAN_KEY is set`, path, ['--sign']);
  if (!key.hasSigned(digest, signature))
    throw refused('unsigned-plan', `${path} was signed with another key, or changed since`, path, ['--sign']);
  return saved;
}

/** Reads a saved plan. Throws if it is not one, was changed since, or has another digest than `expected`. */
export async function readSavedPlan(
  context: Context,
  path: string,
  expected: string | undefined,
): Promise<SavedPlan> {
  return (await sealedFile(context, path, expected)).saved;
}

type Sealed = Extract<SealedText, { readonly kind: 'sealed' }>;

const makeOne = () => `To make one: ${formatCommand('plan', '--out', 'plan.json')}`;

async function sealedFile(context: Context, path: string, expected: string | undefined): Promise<Sealed> {
  let text: string;
  try {
    text = await context.typed.files.readText(path);
  } catch (error) {
    throw new HeraldError(
      'bad-plan-file',
      `Cannot read the saved plan ${path}: ${fileProblem(error)}.`,
      makeOne(),
    );
  }
  return sealedIn(text, path, expected);
}

function sealedIn(text: string, path: string, expected: string | undefined): Sealed {
  const read = parseSaved(text);
  if (read.kind === 'bad') throw new HeraldError('bad-plan-file', `${path} ${read.problem}.`, makeOne());
  if (read.kind === 'changed')
    throw refused(
      'changed-plan',
      `${path} was changed after Herald wrote it. Its content does not match its digest`,
      path,
    );
  const { digest } = read;
  if (expected === undefined || digest.startsWith(`sha256:${expected}`)) return read;
  throw refused(
    'unexpected-plan',
    `${path} is not the expected plan. Its digest is ${digest}, not sha256:${expected}`,
    path,
  );
}

function refused(code: ErrorCode, what: string, path: string, flags: readonly string[] = []): HeraldError {
  const hint = `Make a new plan and review it: ${formatCommand('plan', '--out', path, ...flags)}`;
  return new HeraldError(code, `${what}. Nothing was changed.`, hint, { exit: EXIT.blocked });
}

/** Describes a saved plan, with the command that makes it again. */
export function savedIn(
  file: string,
  { allow, target, exclude }: SavedPlan,
  { workspace }: Opened,
): NamedPlan {
  const options = [
    ...allow.filter((name) => !workspace.allow.includes(name)).flatMap((name) => ['--allow', name]),
    ...target.flatMap((pattern) => ['--target', pattern]),
    ...exclude.flatMap((pattern) => ['--exclude', pattern]),
    '--out',
    file,
  ];
  return {
    what: `The plan in ${file} is stale`,
    hint: `Make a new plan and review it: ${formatCommand('plan', ...options)}`,
  };
}
