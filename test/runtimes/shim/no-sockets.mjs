/** In place of the client suite's loopback servers, where there are no sockets to listen on. */
export const overSockets = [];
export const loopback = () => Promise.reject(new Error('no sockets here'));
