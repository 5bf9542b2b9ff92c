import * as z from 'zod/mini';

/**
 * Says in the JSON schema what a value is for; editors show it. It marks the shape that it gets, so one that others use
 * too has to be cloned.
 */
export function withHelp<Shape extends z.core.$ZodType>(help: string, shape: Shape): Shape {
  z.globalRegistry.add(shape, { description: help });
  return shape;
}
