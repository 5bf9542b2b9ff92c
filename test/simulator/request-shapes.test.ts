import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE, OPERATIONS } from '../../src/api/catalogue.ts';
import { BODIES } from '../../src/simulator/requests.ts';
import { FIELDS, REQUESTS, type Part } from './documented-values.ts';

/** Where the two sets differ, and why that is right. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'campaigns.create action':
    'the client refuses messages of start_mimic at once, the simulator only when it makes the campaign',
  'chat.send price': 'the document names no decimals; the simulator assumes two',
};

/** The request with one of its fields exchanged, at any depth. */
function withField(request: object, path: string, value: unknown): unknown {
  const copy = structuredClone(request) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let holder = copy;
  for (const key of keys) holder = holder[key] as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

const takes = (shape: z.ZodType | null, value: unknown) => shape?.safeParse(value).success === true;

describe('the requests of the simulator and of the client', () => {
  it('have a body for the same operations', () => {
    const withBody = OPERATIONS.filter((name) => CATALOGUE[name].body !== null);
    expect(Object.keys(BODIES).toSorted()).toEqual(withBody.toSorted());
  });

  const cases = FIELDS.flatMap((field) => field.of.map((name) => ({ name, field })));
  it.each(cases.map((one) => [`${one.name} ${one.field.path}`, one] as const))(
    'take the documented values of %s, and no others (CONTENT-7, READ-7)',
    (title, { name, field }) => {
      const request = (REQUESTS[name] as Partial<Record<Part, object>>)[field.in] ?? {};
      const own: z.ZodType | null =
        field.in === 'query' ? CATALOGUE[name].query : (BODIES[name as keyof typeof BODIES] ?? null);
      const client: z.ZodType | null = CATALOGUE[name][field.in];
      const values = [
        ...field.taken.map((value) => ({ value, taken: true })),
        ...field.refused.map((value) => ({ value, taken: false })),
      ].map(({ value, taken }) => ({ value, taken, request: withField(request, field.path, value) }));
      expect(takes(own, request), 'the request without the change').toBe(true);
      for (const one of values) expect([one.value, takes(own, one.request)]).toEqual([one.value, one.taken]);
      const differs = values.filter((one) => takes(client, one.request) !== one.taken);
      if (DIFFERENCES[title] === undefined) expect(differs.map(({ value }) => value)).toEqual([]);
      else expect(differs, 'the line in DIFFERENCES is not needed').not.toEqual([]);
    },
  );
});
