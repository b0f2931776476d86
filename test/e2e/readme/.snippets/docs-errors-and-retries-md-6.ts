import { ContentGen, refreshing } from 'contentgen';

const signIn = async () => ({ token: 'jwt' });
const client = new ContentGen({ accessToken: refreshing(async () => (await signIn()).token) });
