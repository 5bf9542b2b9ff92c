import type { z } from 'zod';

/**
 * A reply field that does not affect decisions. If it is missing or of a wrong type, it reads as null, because one
 * odd field must not hide a whole list.
 */
export const maybe = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().catch(null);
