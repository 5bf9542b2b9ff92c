import type { CallInput, Operation, Reply } from './catalogue.ts';
import type { Client } from './client.ts';
import { ServiceError } from './errors.ts';
import { parseJson } from './json.ts';

/** Reads for people, with odd values as they came. Throws `ServiceError`. */
export async function readAsAnswered<Name extends Operation>(
  client: Client,
  operation: Name,
  input: CallInput<Name>,
): Promise<Reply<Name>> {
  const result = await client.call(operation, input);
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  return withOddValues(result.reply, result.text);
}

/**
 * A reply with the values that were read as null because of their type, as they came. People who look at an answer must
 * not be shown null for something that the service did say.
 */
export function withOddValues<Reply>(reply: Reply, text: string | undefined): Reply {
  if (text === undefined || !holdsNull(reply)) return reply;
  // The reply was parsed from this text.
  return filledIn(reply, parseJson(text)) as Reply;
}

/** Most replies hold none, and need no second look at their text. */
function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(holdsNull);
  return isObject(value) && Object.values(value).some(holdsNull);
}

function filledIn(parsed: unknown, answered: unknown): unknown {
  if (parsed === null) return answered ?? null;
  if (Array.isArray(parsed) && Array.isArray(answered) && parsed.length === answered.length)
    return parsed.map((item, index) => filledIn(item, answered[index]));
  if (!isObject(parsed) || !isObject(answered)) return parsed;
  return Object.fromEntries(
    Object.entries(parsed).map(([key, value]) => [key, filledIn(value, answered[key])]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
