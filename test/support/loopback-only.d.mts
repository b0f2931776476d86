export function takePrevented(): string[];
