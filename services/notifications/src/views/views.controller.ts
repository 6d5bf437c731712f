import { Controller } from '@nestjs/common';
import {
  type DeleteView,
  type NoParameters,
  PATTERNS,
  type ReplaceView,
  type View,
  type ViewRequest,
} from '@po/contracts';
import { Answers, type Reply, type RpcContext } from '@po/messaging';
import { ViewsService } from './views.service.js';

@Controller()
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  @Answers(PATTERNS.views)
  list(_query: NoParameters, { actor }: RpcContext): Promise<Reply<View[]>> {
    return this.views.list(actor);
  }

  @Answers(PATTERNS.createView)
  create(request: ViewRequest, context: RpcContext): Promise<Reply<View>> {
    return this.views.create(request, context);
  }

  @Answers(PATTERNS.replaceView)
  replace(command: ReplaceView, context: RpcContext): Promise<Reply<View>> {
    return this.views.replace(command, context);
  }

  @Answers(PATTERNS.deleteView)
  delete(command: DeleteView, context: RpcContext): Promise<Reply<never>> {
    return this.views.delete(command, context);
  }
}
