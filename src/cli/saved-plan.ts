import { formatCommand } from '../domain/command-line.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { Secret, readSecret } from '../domain/secret.ts';
import type { PlannedLook } from '../library/runs.ts';
import { computeSeal, parseSealed, type SavedPlan } from '../plan/saved.ts';
import { renderJson } from '../render/json.ts';
import type { Context } from './context.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse } from 'lossless-json';
import type { ErrorCode } from '../domain/codes.ts';

/** Saves the plan with its digest, readable by this user only, and returns the digest. `key` signs it. */
export async function writeSavedPlan(
  context: Context,
  seen: PlannedLook,
  { path, key }: { readonly path: string; readonly key: PlanKey | null },
): Promise<string> {
  const saved = await seen.save();
  // The digest is that of the file: parsed, because JavaScript cannot hold all numbers exactly, and without secrets.
  const digest = computeSeal(JSON.parse(context.output.masked(renderJson(saved))) as object);
  const sealed = { ...saved, digest, ...(key === null ? {} : { signature: key.sign(digest) }) };
  await writeReport(context, path, renderJson(sealed));
  return digest;
}

/** The text of a saved plan. `path` is its name in messages. */
interface PlanText {
  readonly path: string;
  readonly text: string;
}

/** Reads the saved plan in a file, to apply it. `expected` is the beginning of its digest. */
export async function readPlanToApply(context: Context, path: string, expected?: string): Promise<SavedPlan> {
  const text = await context.typed.files.readText(path).catch((error: unknown) => {
    throw badPlan(`Cannot read the saved plan ${path}: ${fileProblem(error)}.`);
  });
  return readTrustedPlan(context, { path, text }, expected);
}

/** A saved plan that may be applied. If there is a key, it must have signed it. */
export function readTrustedPlan(context: Context, from: PlanText, expected?: string): SavedPlan {
  const { saved, digest, signature } = readSealedPlan(from);
  const { path } = from;
  if (expected !== undefined && !digest.startsWith(`sha256:${expected}`))
    throw refusePlan('unexpected-plan', path, `has the digest ${digest}, not sha256:${expected}`);
  const key = PlanKey.read(context);
  if (key === null || (signature !== undefined && key.hasSigned(digest, signature))) return saved;
  const why = `is not signed with the key in ${PLAN_KEY_VARIABLE}, or was changed since`;
  throw refusePlan('unsigned-plan', path, why, '--sign');
}

/**
 * Reads the text of a saved plan. Throws if it is none, or was changed since: its content is compared with its digest. Every reader
 * has to see the same in it, so that no key has two values, and it is not nested without end. A problem never quotes the file,
 * which may be a key by mistake.
 */
export function readSealedPlan({ path, text }: PlanText) {
  let document: unknown;
  try {
    parse(text, null, { parseNumber: Number });
    document = JSON.parse(text);
  } catch {
    throw badPlan(`${path} is not a saved plan: it is not valid JSON, or a key occurs twice in it.`);
  }
  const sealed = parseSealed(document);
  if (sealed === null) throw badPlan(`${path} is not a plan saved by this version of Herald.`);
  if (!sealed.isIntact)
    throw refusePlan('changed-plan', path, 'was changed after Herald wrote it: it does not match its digest');
  return sealed;
}

function badPlan(problem: string): HeraldError {
  return new HeraldError(
    'bad-plan-file',
    problem,
    `To make one: ${formatCommand('plan', '--out', 'plan.json')}`,
  );
}

function refusePlan(code: ErrorCode, path: string, why: string, ...flags: readonly string[]): HeraldError {
  const hint = `Make a new plan and review it: ${formatCommand('plan', '--out', path, ...flags)}`;
  return new HeraldError(code, `${path} ${why}. Nothing was changed.`, hint);
}

const PLAN_KEY_VARIABLE = 'HERALD_PLAN_KEY';
export const MAKE_KEY = `To make one: openssl rand -hex 32. Then put it into ${PLAN_KEY_VARIABLE}, for plan and for apply.`;

/** A shorter key can be guessed. */
const KEY_BYTES_MIN = 16;

/** The key that signs and checks saved plans. */
export class PlanKey extends Secret {
  readonly #value: string;

  constructor(value: string) {
    super();
    this.#value = value;
  }

  /** Null if the variable is not set. Throws if it is empty or too short. */
  static read({ env }: Pick<Context, 'env'>): PlanKey | null {
    const value = readSecret(env, PLAN_KEY_VARIABLE);
    if (value === null) return null;
    const bytes = Buffer.byteLength(value);
    if (bytes >= KEY_BYTES_MIN) return new PlanKey(value);
    const problem = `${PLAN_KEY_VARIABLE} has ${bytes} bytes, and a key needs at least ${KEY_BYTES_MIN}. Nothing was changed.`;
    throw new HeraldError('plan-key', problem, MAKE_KEY);
  }

  /** The signature of a saved plan, by its digest: `hmac-sha256:` and 64 hex characters. */
  sign(digest: string): string {
    // The purpose is signed with it, so that no signature of anything else by this key counts here.
    const mac = createHmac('sha256', this.#value).update(`herald/plan-signature/1\n${digest}`).digest('hex');
    return `hmac-sha256:${mac}`;
  }

  /** Whether this key made the signature. Takes as long for every signature. */
  hasSigned(digest: string, signature: string): boolean {
    const [wanted, given] = [Buffer.from(this.sign(digest)), Buffer.from(signature)];
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
}

/** Writes a file with what a plan says: without the secrets of this run, and readable by this user only. */
export function writeReport(
  { typed, output }: Pick<Context, 'typed' | 'output'>,
  path: string,
  text: string,
): Promise<void> {
  return typed.files.writeAtomically(path, output.masked(text), { isPrivate: true });
}
