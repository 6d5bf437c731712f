import { Controller } from '@nestjs/common';
import {
  type DeleteView,
  type NoParameters,
  PATTERNS,
  type ReplaceView,
  type View,
  type ViewRequest,
} from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { ViewsService } from './views.service.js';

@Controller()
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  @RequestPattern(PATTERNS.views)
  list(_query: NoParameters, { actor }: RpcContext): Promise<Reply<View[]>> {
    return this.views.list(actor);
  }

  @RequestPattern(PATTERNS.createView)
  create(request: ViewRequest, context: RpcContext): Promise<Reply<View>> {
    return this.views.create(request, context);
  }

  @RequestPattern(PATTERNS.replaceView)
  replace(command: ReplaceView, context: RpcContext): Promise<Reply<View>> {
    return this.views.replace(command, context);
  }

  @RequestPattern(PATTERNS.deleteView)
  delete(command: DeleteView, context: RpcContext): Promise<Reply<never>> {
    return this.views.delete(command, context);
  }
}
