import { ContractProcedure, isContractProcedure, type AnyContractRouter } from '@orpc/contract';
import { $ZodArray, $ZodObjectJIT, $ZodType, type $ZodArrayDef, type $ZodObjectDef } from 'zod/v4/core';

/**
 * A contract whose outputs are checked by compiled code. zod's small build, which the browser shares, walks its schemas;
 * for a list of fifty rows that takes five times as long. What an output may hold is the same: the schemas are.
 */
export function withCompiledOutputs<Contract extends AnyContractRouter>(contract: Contract): Contract {
  if (isContractProcedure(contract)) {
    const { outputSchema, ...rest } = contract['~orpc'];
    const schema = outputSchema instanceof $ZodType ? compiled(outputSchema) : outputSchema;
    return new ContractProcedure({ ...rest, outputSchema: schema }) as AnyContractRouter as Contract;
  }
  const routes = Object.entries(contract).map(([key, route]) => [key, withCompiledOutputs(route as AnyContractRouter)]);
  return Object.fromEntries(routes) as Contract;
}

/** Objects, and lists of them, to any depth; every other schema as it is. */
function compiled(schema: $ZodType): $ZodType {
  const { def } = schema._zod;
  if (isObject(def)) {
    const shape = Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, compiled(field)]));
    return new $ZodObjectJIT({ ...def, shape });
  }
  if (isArray(def)) return new $ZodArray({ ...def, element: compiled(def.element) });
  return schema;
}

const isObject = (def: { type: string }): def is $ZodObjectDef => def.type === 'object';
const isArray = (def: { type: string }): def is $ZodArrayDef => def.type === 'array';
