import type { z } from 'zod';
import type { Operation } from '../../api/catalogue.ts';
import { CHAT_SHAPES } from './chat.ts';
import { MESSAGING_SHAPES } from './messaging.ts';
import { READ_SHAPES } from './reads.ts';
import { VAULT_SHAPES } from './vault.ts';

/** What a call takes besides its path. A `null` body means that the call takes none. */
interface RequestShape {
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
}

/**
 * The requests that the simulator takes. They are written from the service's document, apart from those of the
 * client's catalogue, so that each shows the mistakes of the other (test/simulator/request-shapes.test.ts).
 */
export const REQUEST_SHAPES = {
  ...READ_SHAPES,
  ...CHAT_SHAPES,
  ...VAULT_SHAPES,
  ...MESSAGING_SHAPES,
} as const satisfies Record<Operation, RequestShape>;

type Shape<Name extends Operation> = (typeof REQUEST_SHAPES)[Name];

export type QueryOf<Name extends Operation> = z.output<Shape<Name>['query']>;
export type BodyOf<Name extends Operation> = Shape<Name>['body'] extends z.ZodType
  ? z.output<Shape<Name>['body']>
  : null;
