import { REQUIRED_FIELDS, type Limit, type RequiredField, type RequiredFields } from '../domain/policy.ts';
import type { Declared } from '../domain/resource.ts';
import type { Breach } from './policy-case.ts';

/** What messages cost against the limits of the policy. */
export const prices = {
  above: (resources: readonly Declared[], { limit }: Limit): readonly Breach[] =>
    pricesThat(
      resources,
      (price) => price > limit,
      (cost) => `${cost}, above policy.max_price_gross ${limit}.`,
    ),
  below: (resources: readonly Declared[], { limit }: Limit): readonly Breach[] =>
    pricesThat(
      resources,
      (price) => price > 0 && price < limit,
      (cost) => `${cost}, below policy.min_price_gross ${limit}. Make it dearer, or free.`,
    ),
};

function pricesThat(
  resources: readonly Declared[],
  breaks: (price: number) => boolean,
  describe: (cost: string) => string,
): readonly Breach[] {
  return resources.flatMap((resource) =>
    resource.content.messages.flatMap(({ price_gross: price = 0 }, index) =>
      breaks(price)
        ? [
            {
              resource,
              path: ['messages', index, 'price_gross'],
              message: describe(`messages[${index}] costs ${price}`),
            },
          ]
        : [],
    ),
  );
}

/** Fields that must be stated, where the kind has them. */
export function requiredFields(
  resources: readonly Declared[],
  { fields }: RequiredFields,
): readonly Breach[] {
  return resources.flatMap((resource) =>
    fields
      .filter((field) => concerns(resource, field) && !states(resource, field))
      .map((field) => {
        const { path } = REQUIRED_FIELDS[field];
        const what = field === 'audience_filters' ? 'it goes to everyone' : `it has no ${path.join('.')}`;
        return { resource, path, message: `${what}: policy.required asks for ${field}.` };
      }),
  );
}

function concerns({ kind, content }: Declared, field: RequiredField): boolean {
  const { kinds } = REQUIRED_FIELDS[field];
  // An automated chat has no message that could be taken back (CAMPAIGN-4).
  const isMute = content.messages.length === 0 && field.includes('unsend');
  return kinds.some((one) => one === kind) && !isMute;
}

function states({ content }: Declared, field: RequiredField): boolean {
  if (field === 'audience_filters') return content.audience_filters.length > 0;
  const rules: Readonly<Record<string, unknown>> = content.rules ?? {};
  return rules[field] !== undefined && rules[field] !== null;
}
