/** In place of the client suite's loopback servers, where there are no sockets to listen on. */
export const overSockets = [];
export const loopback = () => {
  throw new Error('There are no sockets here.');
};
