export * from './agent';
export * from './calls';
export * from './router';
export * from './tools';
